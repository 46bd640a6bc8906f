// For the vitest that LangGraph's suite brings along. It runs in a cache folder below node_modules, which is not searched by default.
export default {
  test: {
    globals: true,
    include: ["tests/*.test.mjs"],
    exclude: [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
};
