/** A workflow to start from, with everything that it needs to run offline. */
export interface Template {
  readonly name: string;
  readonly about: string;
  /** Contents by name; `workflow.yaml` is the definition. */
  readonly files: Readonly<Record<string, string>>;
}
