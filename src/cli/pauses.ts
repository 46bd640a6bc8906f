import type { Context } from "./context.ts";

/** Waiting that Ctrl-C ends at once. */
export function pauses(context: Pick<Context, "onInterrupt">) {
  let isOver = false;
  let wake = () => {};
  context.onInterrupt(() => {
    isOver = true;
    wake();
  });
  const wait = async (ms: number) => {
    if (isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wake = resolve;
    await promise;
    clearTimeout(timer);
  };
  return { isOver: () => isOver, wait };
}
