/** A run as its trail holds it, as far as the page shows it. */
interface RunStep {
  readonly id: string;
  readonly kind: string;
  readonly needs?: readonly string[];
  readonly about?: string;
  readonly phase?: string;
  readonly agent?: string;
}

export interface StepState {
  readonly id: string;
  readonly status: string;
  readonly attempt: number;
  readonly crashes?: number;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly reason?: string;
}

interface Artifact {
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
  readonly step: string;
}

export interface Run {
  readonly id: string;
  readonly workflow: string;
  readonly request?: string;
  readonly status: string;
  readonly reason?: string;
  readonly definition: readonly RunStep[];
  readonly steps: readonly StepState[];
  readonly artifacts: Readonly<Record<string, Artifact>>;
}

export interface OpenQuestion {
  readonly step: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly reason: string | null;
  readonly files: readonly (Artifact & { readonly changed: boolean; readonly text: string | null })[];
}
