import type { Session } from './Driver.ts'

/**
 * Storage parameter that keeps rows of up to 8 kB inside the page, which saves readers a second lookup. With
 * the default limit of 2 kB, many containers would be stored outside the page.
 */
const STORAGE = 'toast_tuple_target = 8160'

/** Number of heights per partition. */
export const SPAN = 1n << 20n

/** Manages the partitions of a schema. Partitions for new heights are created before rows are added. */
export class Partitions {
  readonly #known: Set<string>

  private constructor(known: Set<string>) {
    this.#known = known
  }

  /** Loads the existing partitions. */
  static async load(session: Session): Promise<Partitions> {
    const rows = await session.query(
      'select relname from pg_class where relispartition and relnamespace = current_schema()::regnamespace',
    )
    return new Partitions(new Set(rows.map(({ relname }) => relname as string)))
  }

  /**
   * Creates the missing partitions of tables for a range of heights (inclusive), and returns the names of the
   * new partitions.
   */
  async ensure(session: Session, tables: readonly string[], first: bigint, last: bigint): Promise<string[]> {
    const made: string[] = []
    for (let span = first / SPAN; span <= last / SPAN; span++) {
      for (const parent of tables) {
        const partition = `${parent}_${span}`
        if (this.#known.has(partition)) continue
        // Creating a table and then attaching it doesn't block readers. Creating it directly as a partition
        // would.
        await session.query(`create table ${partition} (like ${parent} including all) with (${STORAGE})`)
        const range = `from (${span * SPAN}) to (${(span + 1n) * SPAN})`
        await session.query(`alter table ${parent} attach partition ${partition} for values ${range}`)
        made.push(partition)
      }
    }
    return made
  }

  /** Adds partitions to the known ones. Called once the database transaction that created them is committed. */
  add(partitions: readonly string[]): void {
    for (const partition of partitions) this.#known.add(partition)
  }
}
