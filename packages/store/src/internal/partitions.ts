import type { Session } from './Driver.ts'

/**
 * Keeps rows of up to a page's size in the page, which saves readers a second look-up. The default limit of 2 kB is about the size
 * of a container.
 */
const STORAGE = 'toast_tuple_target = 8160'

/** Heights of a partition. */
const SPAN = 1n << 20n

/** The partitions of a schema: those of new heights are made before their rows. */
export class Partitions {
  readonly #known: Set<string>

  private constructor(known: Set<string>) {
    this.#known = known
  }

  /** Those that there are. */
  static async load(session: Session): Promise<Partitions> {
    const rows = await session.query(
      'select relname from pg_class where relispartition and relnamespace = current_schema()::regnamespace',
    )
    return new Partitions(new Set(rows.map(({ relname }) => relname as string)))
  }

  /** Makes the partitions of tables for a range of heights, ends included, that aren't there; their names. */
  async ensure(session: Session, tables: readonly string[], first: bigint, last: bigint): Promise<string[]> {
    const made: string[] = []
    for (let span = first / SPAN; span <= last / SPAN; span++) {
      for (const parent of tables) {
        const partition = `${parent}_${span}`
        if (this.#known.has(partition)) continue
        // Attaching a table that stood alone locks out no reader, other than creating it as a partition.
        await session.query(`create table ${partition} (like ${parent} including all) with (${STORAGE})`)
        const range = `from (${span * SPAN}) to (${(span + 1n) * SPAN})`
        await session.query(`alter table ${parent} attach partition ${partition} for values ${range}`)
        made.push(partition)
      }
    }
    return made
  }

  /** They are there for good, once their transaction is. */
  add(partitions: readonly string[]): void {
    for (const partition of partitions) this.#known.add(partition)
  }
}
