/** A derived value, computed once for each object: for objects that are never mutated, such as definitions. */
export function kept<Key extends object, Value>(derive: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = values.get(key) ?? { value: derive(key) };
    values.set(key, known);
    return known.value;
  };
}
