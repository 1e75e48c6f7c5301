import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Bytes, type ChainAlias, Id } from '@firn/codec'
import { IndexerError } from '../../common/IndexerError.ts'
import type { Source, SourceBlock, SourceVertex } from '../Source.ts'
import type { Place } from '../VertexFeed.ts'
import * as Archive from './Archive.ts'
import { hasIssued, issuedBlocks } from './issued.ts'
import { lastLineOf, linesOf, type NumberedLine } from './lines.ts'

/** Position in a chain's file up to which it has been read. */
interface Reader {
  readonly lines: AsyncGenerator<NumberedLine>
  /** Lowest height at which the next read can continue; undefined before the first read. */
  next: bigint | undefined
  held: Archive.Entry | undefined
}

/**
 * Returns a source that reads an archive folder: the files `p/`, `x/` and `c/blocks.jsonl`, if they exist.
 * Files are read line by line, so memory use stays constant. A read that continues at the next height is
 * cheap; a read at any other height starts at the beginning of the file. If a recording contains the
 * X-chain's transactions but not its blocks, the blocks are built from the transactions.
 * @throws IndexerError `INDEXER_ARCHIVE` if the folder does not exist or contains no chain
 */
export function createArchiveSource(folder: string): Source {
  const paths = new Map<ChainAlias, string>()
  for (const [chain, file] of Object.entries(Archive.FILES) as [ChainAlias, string][]) {
    if (existsSync(join(folder, file))) paths.set(chain, join(folder, file))
  }
  if (paths.size === 0) {
    const got =
      existsSync(folder) && statSync(folder).isDirectory() ? 'a folder without these files' : 'no such folder'
    const files = Object.values(Archive.FILES).join(', ')
    throw new IndexerError(
      'INDEXER_ARCHIVE',
      `${folder}: expected an archive folder with one or more of ${files}, got ${got}`,
      {
        details: { path: folder },
      },
    )
  }
  const readers = new Map<ChainAlias, Reader>()
  const isIssued = (chain: ChainAlias) => chain === 'X' && !paths.has(chain) && hasIssued(folder)
  let issued: Promise<SourceBlock[]> | undefined
  const issuedOnce = () => {
    issued ??= issuedBlocks(folder)
    return issued
  }
  const tips = new Map<ChainAlias, bigint | undefined>()
  const rewind = async (chain: ChainAlias) => {
    await readers.get(chain)?.lines.return(undefined)
    readers.delete(chain)
  }
  const path = join(folder, Archive.VERTICES)
  const vertices = existsSync(path) ? createVertexReader(path) : undefined
  return {
    name: folder,
    isFixed: true,
    async tip(chain) {
      if (isIssued(chain)) return BigInt((await issuedOnce()).length)
      const path = paths.get(chain)
      if (path === undefined) return undefined
      if (!tips.has(chain)) tips.set(chain, await tipOf(chain, path))
      return tips.get(chain)
    },
    async blocks(chain, from, limit, signal) {
      if (isIssued(chain)) return (await issuedOnce()).slice(Number(from) - 1, Number(from) - 1 + limit)
      const path = paths.get(chain)
      if (path === undefined) return []
      const known = readers.get(chain)
      if (known === undefined || known.next === undefined || known.next > from) {
        await rewind(chain)
        readers.set(chain, { lines: linesOf(path), next: undefined, held: undefined })
      }
      return read(chain, path, readers.get(chain) as Reader, from, limit, signal)
    },
    ...(vertices === undefined ? {} : { vertices: vertices.read }),
    refuse: () => undefined,
    close: async () => {
      await vertices?.close()
      for (const chain of paths.keys()) await rewind(chain)
    },
  }
}

/**
 * Returns a function that reads a file of vertices. A read that continues where the last one ended is cheap; any other
 * one starts at the beginning of the file.
 */
function createVertexReader(path: string) {
  let lines: AsyncGenerator<NumberedLine> | undefined
  let last: Uint8Array | undefined
  const rewind = async () => {
    await lines?.return(undefined)
    lines = linesOf(path)
    last = undefined
  }
  const next = async (): Promise<SourceVertex | undefined> => {
    const line = await lines?.next()
    if (line === undefined || line.done) return undefined
    const vertex = Archive.parseVertex(line.value.text, `${path}:${line.value.number}`)
    last = Id.hash(vertex.bytes)
    return vertex
  }
  const isAt = (id: Uint8Array | undefined) =>
    last === undefined || id === undefined ? last === id : Bytes.equals(last, id)
  return {
    async read(after: Place | undefined, limit: number, signal?: AbortSignal): Promise<SourceVertex[]> {
      if (lines === undefined || !isAt(after?.id)) await rewind()
      while (!isAt(after?.id)) {
        signal?.throwIfAborted()
        if ((await next()) === undefined) return []
      }
      const found: SourceVertex[] = []
      while (found.length < limit) {
        signal?.throwIfAborted()
        const vertex = await next()
        if (vertex === undefined) break
        found.push(vertex)
      }
      return found
    },
    close: async () => void (await lines?.return(undefined)),
  }
}

async function read(
  chain: ChainAlias,
  path: string,
  reader: Reader,
  from: bigint,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<SourceBlock[]> {
  const found: SourceBlock[] = []
  while (found.length < limit) {
    signal?.throwIfAborted()
    const entry = reader.held ?? (await nextEntry(chain, path, reader, from))
    reader.held = undefined
    if (entry === undefined) break
    if (entry.height < from) continue
    if (entry.height > from + BigInt(found.length)) {
      reader.held = entry
      break
    }
    if (entry.block !== undefined) found.push(entry.block)
  }
  reader.next = from + BigInt(found.length)
  return found
}

/** Returns the first entry at or above a height. Earlier lines are not parsed beyond their height. */
async function nextEntry(
  chain: ChainAlias,
  path: string,
  { lines }: Reader,
  from: bigint,
): Promise<Archive.Entry | undefined> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done) return undefined
    if ((Archive.peekHeight(value.text) ?? from) < from) continue
    return Archive.parseLine(chain, value.text, `${path}:${value.number}`)
  }
}

async function tipOf(chain: ChainAlias, path: string): Promise<bigint | undefined> {
  const text = await lastLineOf(path)
  if (text === undefined) return undefined
  return Archive.parseLine(chain, text, `${path}: last line`).height
}
