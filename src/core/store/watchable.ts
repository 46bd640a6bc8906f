/** What may tell when there is something new in it, so that those who follow it need not ask again and again. */
export interface Watchable {
  /**
   * Calls back soon after something may have been committed, by any process, until the function that it returns is
   * called. Only a hint, which may be early, late or lost: those who need every commit also look by themselves.
   */
  watch?(onNews: () => void): () => void;
}
