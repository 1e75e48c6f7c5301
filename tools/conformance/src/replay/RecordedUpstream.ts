import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { CHAIN_ALIASES, type ChainAlias, CheckedHex, Id } from '@firn/codec'
import { createArchiveSource, createSource, type Source } from '@firn/indexer'
import { Container, Vertex } from '@firn/txs'
import { readLines } from './lines.ts'
import * as VertexTimes from './VertexTimes.ts'

const CLOCK = {
  now: () => Date.now(),
  sleep: (ms: number, signal?: AbortSignal) => setTimeout(ms, undefined, { signal }),
}

/** An entry of an index of the recorded node. */
interface Entry {
  readonly id: string
  readonly bytes: string
  readonly timestamp: string
}

type Indices = ReadonlyMap<string, readonly Entry[]>
type Call = {
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, string>>
}

/**
 * Starts a server with the Index API of the recorded node, and returns a source that reads from it as from `--upstream`.
 * The source closes the server.
 * @throws IndexerError if the archive is damaged
 */
export async function createNodeSource(folder: string): Promise<Source.Source> {
  const indices = await indicesOf(folder)
  const server = createServer(async (request, response) => {
    const call = JSON.parse(await text(request)) as Call
    const result = answer(indices, request.url ?? '', call)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', ...result, id: call.id }))
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as AddressInfo
  const source = createSource({ upstreams: [{ url: `http://127.0.0.1:${port}` }], clock: CLOCK })
  return {
    ...source,
    async close() {
      await source.close()
      server.closeAllConnections()
      await new Promise((settle) => server.close(settle))
    },
  }
}

function answer(indices: Indices, path: string, { method, params }: Call): object {
  const entries = indices.get(path) ?? []
  const item = (entry: Entry, index: number) => ({ ...entry, encoding: 'hex', index: String(index) })
  const last = entries.at(-1)
  if (method === 'eth_blockNumber') {
    return { result: `0x${(indices.get(PATHS.C)?.length ?? 0).toString(16)}` }
  }
  if (method.endsWith('.getHeight')) {
    const chain = path.endsWith('/P') ? PATHS.P : PATHS.X
    return { result: { height: String(indices.get(chain)?.length ?? 0) } }
  }
  if (last === undefined) return fault('no containers have been accepted')
  if (method === 'index.getLastAccepted') return { result: item(last, entries.length - 1) }
  if (method === 'index.getIndex') {
    const index = entries.findIndex(({ id }) => id === params['id'])
    return index < 0 ? fault('not found') : { result: { index: String(index) } }
  }
  const start = Number(params['startIndex'])
  if (start >= entries.length)
    return fault(`start index (${start}) > last accepted index (${entries.length - 1})`)
  const found = entries.slice(start, start + Number(params['numToFetch']))
  return { result: { containers: found.map((entry, i) => item(entry, start + i)) } }
}

const fault = (message: string) => ({ error: { code: -32000, message, data: null } })

const PATHS: Readonly<Record<ChainAlias | 'vertices', string>> = {
  P: '/ext/index/P/block',
  X: '/ext/index/X/block',
  C: '/ext/index/C/block',
  vertices: '/ext/index/X/vtx',
}

/** Returns the entries of each index by its path. */
async function indicesOf(folder: string): Promise<Indices> {
  const source = createArchiveSource(folder)
  const indices = new Map<string, readonly Entry[]>()
  for (const chain of CHAIN_ALIASES) {
    const tip = Number((await source.tip(chain)) ?? 0n)
    const blocks = tip === 0 ? [] : await source.blocks(chain, 1n, tip)
    indices.set(
      PATHS[chain],
      blocks.map(({ bytes, acceptedAt = 0n }) => ({
        id: Id.format(Container.open(bytes).id),
        bytes: CheckedHex.encode(bytes),
        timestamp: VertexTimes.format(acceptedAt),
      })),
    )
  }
  await source.close()
  return indices.set(PATHS.vertices, await vertexIndex(folder))
}

/** Returns the vertices in the order of the last recorded node. */
async function vertexIndex(folder: string): Promise<readonly Entry[]> {
  const times = await VertexTimes.read(folder)
  const lines = await readLines(join(folder, 'x/vertices.jsonl'))
  const numberOf = (line: (typeof lines)[number]) =>
    Number(Object.values(line['index'] as Readonly<Record<string, unknown>>).at(-1))
  return lines
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .map(({ vertexBytes }) => {
      const bytes = String(vertexBytes)
      const id = Id.format(Vertex.id(CheckedHex.decode(bytes)))
      return { id, bytes, timestamp: VertexTimes.format(times.get(id) ?? UNKNOWN) }
    })
}

/** A time after the DAG, in nanoseconds since the Unix epoch, for nodes whose times were not recorded. */
const UNKNOWN = 1_795_830_000_000_000_000n
