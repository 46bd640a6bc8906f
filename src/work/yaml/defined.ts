type Optional<T> = {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};
type Required<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] };

/** The fields that have a value: an optional field is absent, never undefined. */
export function defined<T extends object>(fields: T): Optional<T> & Required<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Optional<T> & Required<T>;
}
