import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Id } from '@firn/codec'
import type { Source } from '@firn/indexer'
import { Vertex } from '@firn/txs'
import { readLines } from './lines.ts'

const FILE = 'x/index_timestamps.jsonl'
/** The recorded node that bootstrapped into an empty database. */
const NODE = 'node4'

/** Returns whether an archive has the index numbers of a node that bootstrapped into an empty database. */
export function has(folder: string): boolean {
  return existsSync(join(folder, FILE))
}

/**
 * Returns the source with the times at which the recorded node accepted vertices, because answers of the Index API depend
 * on them, and neither the archive nor peers have them.
 */
export async function withTimes(folder: string, source: Source.Source): Promise<Source.Source> {
  const { vertices } = source
  if (vertices === undefined) return source
  const times = await read(folder)
  return {
    ...source,
    async vertices(after, limit, signal) {
      const found = await vertices(after, limit, signal)
      return found.map((one) => ({ ...one, acceptedAt: times.get(Id.format(Vertex.id(one.bytes))) }))
    },
  }
}

/** Returns the times of vertices by id, in nanoseconds since the Unix epoch; none if they were not recorded. */
export async function read(folder: string): Promise<ReadonlyMap<string, bigint>> {
  const times = new Map<string, bigint>()
  if (!has(folder)) return times
  for (const { kind, id, timestamp } of await readLines(join(folder, FILE))) {
    const text = (timestamp as Readonly<Record<string, string>>)[NODE]
    if (kind === 'vtx' && text !== undefined) times.set(String(id), nanoseconds(text))
  }
  return times
}

/** Formats nanoseconds since the Unix epoch as an RFC 3339 time. */
export function format(time: bigint): string {
  const seconds = new Date(Number(time / 1_000_000_000n) * 1_000).toISOString().slice(0, 19)
  return `${seconds}.${String(time % 1_000_000_000n).padStart(9, '0')}Z`
}

function nanoseconds(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.')
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}
