import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";

/** Writes a file and waits for the disk. */
export function writeDurably(path: string, text: string): void {
  const file = openSync(path, "w");
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
}

/** Makes a new or renamed name durable. Windows cannot open folders, and needs no such thing. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}
