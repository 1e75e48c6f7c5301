import type { Genesis, Networks } from '@firn/genesis'
import type { Kysely } from 'kysely'
import type { Database } from './Schema.ts'
import type { Snapshot } from './Snapshot.ts'
import { StoreError } from './StoreError.ts'

/** Where log lines go; a pino logger is one. */
export interface Log {
  readonly info: (details: object, message: string) => void
  readonly warn: (details: object, message: string) => void
}

/** Where the tables are. */
export interface Options {
  /** `postgres://…`; without one PGlite runs in this process. */
  readonly url?: string
  /** PGlite's folder; without one it keeps everything in memory. */
  readonly folder?: string
  /** The name of the schema; that of {@link schemaOf} where `networkID` is given, else `primary`. */
  readonly schema?: string
  readonly networkID?: number
  /** Most connections to PostgreSQL at a time; 10. */
  readonly connections?: number
  readonly log?: Log
  /** Milliseconds, from any start; how old a snapshot is is measured by it. */
  readonly now?: () => number
}

/** The name of a network's schema. */
export function schemaOf(networkID: number): string {
  return `primary_${networkID}`
}

/** A network and its rules. */
export interface Network {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
}

/** A network's tables. Any number of stores may read them; a `Writer` of one of them writes. */
export class Store {
  /** Typed queries on the network's schema. */
  readonly db: Kysely<Database>

  private constructor(db: Kysely<Database>) {
    this.db = db
  }

  /**
   * Opens a database. The tables may be missing until {@link migrate}.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`
   */
  static async open(_options: Options = {}): Promise<Store> {
    throw new StoreError('STORE_UNAVAILABLE', 'expected a database, which this version has none of')
  }

  /**
   * Makes the tables, or brings them up to this version. Several processes may do so at once.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`
   */
  async migrate(): Promise<void> {}

  /**
   * What a request sees: one height of each chain, for the whole of it. Cheap: kept until a writer tells of new blocks, for 200 ms
   * at the longest.
   * @throws StoreError `STORE_EMPTY`, `STORE_UNAVAILABLE`
   */
  async snapshot(signal?: AbortSignal): Promise<Snapshot> {
    signal?.throwIfAborted()
    throw new StoreError('STORE_EMPTY', 'expected a network, got an empty database')
  }

  /** Calls `listener` after each commit of a writer, in this process or, with PostgreSQL, in any. The result ends it. */
  onAdvance(_listener: () => void): () => void {
    return () => undefined
  }

  /**
   * The network that is stored; undefined while there is none.
   * @throws StoreError `STORE_UNAVAILABLE`, `STORE_CORRUPT`
   */
  async network(): Promise<Network | undefined> {
    return undefined
  }

  /** Ends all connections. */
  async close(): Promise<void> {}
}
