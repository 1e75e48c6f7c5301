/** Values of one compared object, by name. They are strings, and both sides use the same format. */
export type Facts = Readonly<Record<string, string>>

/** Compared objects by readable names such as `validator NodeID-…`. */
export type Things = ReadonlyMap<string, Facts>

/**
 * Returns one sentence for each difference between the database and the node. Differences are objects that
 * only one side has, and values that differ. Values that the node does not report are not compared.
 */
export function differences(ours: Things, theirs: Things): string[] {
  const found: string[] = []
  for (const [name, facts] of ours) {
    const other = theirs.get(name)
    if (other === undefined) found.push(`${name} is in the database but not on the node`)
    else found.push(...differentFacts(name, facts, other))
  }
  for (const name of theirs.keys())
    if (!ours.has(name)) found.push(`${name} is on the node but not in the database`)
  return found
}

function differentFacts(name: string, ours: Facts, theirs: Facts): string[] {
  return Object.entries(ours).flatMap(([fact, value]) => {
    const other = theirs[fact]
    if (other === undefined || other === value) return []
    return [`${name}: ${fact} is ${value} in the database but ${other} on the node`]
  })
}
