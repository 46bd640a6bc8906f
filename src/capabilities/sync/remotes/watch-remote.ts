/** How often it looks for what is new here; every so many looks, or when it is told, also for what is new there. */
const LOOK_MS = 1000;
const LOOKS_PER_PULL = 30;

export interface RemoteWatch {
  readonly pause: { isOver(): boolean; wait(ms: number): Promise<unknown> };
  /** Whether it was told, since it asked last, that something is new there. */
  readonly isTold: () => boolean;
  readonly pull: () => Promise<void>;
  readonly push: () => Promise<void>;
}

/** Pulls and pushes until the wait is interrupted. */
export async function watchRemote({ pause, isTold, pull, push }: RemoteWatch): Promise<void> {
  for (let looks = 1; !pause.isOver(); looks++) {
    await pause.wait(LOOK_MS);
    if (isTold() || looks >= LOOKS_PER_PULL) {
      looks = 0;
      await pull();
    }
    await push();
  }
}
