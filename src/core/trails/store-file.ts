/** What the store's file is called, in the folder that it is opened by. */
export const STORE_FILE = "store.sqlite";
