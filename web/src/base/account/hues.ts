// Which colour an agent has: by its name, and where another of the agents has that one, the next that is free; pure.
const hues = 8;

/** The same for one name everywhere and for ever. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % hues;
}

/** No colour is given once more while another one has been given less often. */
export function spreadHues(names: readonly string[]): ReadonlyMap<string, number> {
  const given = Array.from({ length: hues }, () => 0);
  return new Map(
    names.toSorted().map((name) => {
      const least = Math.min(...given);
      const next = Array.from({ length: hues }, (_, by) => (hueOf(name) + by) % hues);
      const hue = next.find((one) => given[one] === least) ?? hueOf(name);
      given[hue] = least + 1;
      return [name, hue];
    }),
  );
}
