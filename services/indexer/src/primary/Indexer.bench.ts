import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Hex, Id } from '@firn/codec'
import { TestPostgres } from '@firn/sql/testing'
import { longChain, Recordings } from '@firn/store/testing'
import { temporaryFolder } from '../testing/archives.ts'
import * as Archive from './archive/Archive.ts'

/** Numbers of blocks in the archives. Memory use must not grow with the number of blocks. */
const BLOCKS = (process.env['FIRN_BENCH_BLOCKS'] ?? '20000,80000').split(',').map(Number)
const CHILD = fileURLToPath(new URL('../testing/benchChild.ts', import.meta.url))
const LINES = 500

type Measured = {
  readonly blocks: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly stages: Readonly<Record<string, number>>
  readonly idleMiB: number
  readonly peakMiB: number
}

/**
 * Measures `firn index` on long archives, each in a separate process. Prints the rate, the time per stage,
 * and the memory use.
 */
export async function report(print: (text: string) => void): Promise<void> {
  const { folder, remove } = temporaryFolder()
  const reason = TestPostgres.missing()
  const server =
    reason === undefined
      ? await TestPostgres.startForBench(['shared_buffers=512MB', 'max_wal_size=4GB'])
      : undefined
  print(
    'An archive of P-chain blocks, each in a container of 2 kB, with one transaction of two inputs and two outputs',
  )
  if (reason !== undefined) print(`PostgreSQL: ${reason}`)
  try {
    for (const blocks of BLOCKS) {
      const archive = join(folder, `${blocks}`)
      await writeLong(archive, blocks)
      print(line('PGlite in a folder', await measure([archive, join(folder, `pglite-${blocks}`), 'bench'])))
      if (server !== undefined)
        print(line('PostgreSQL', await measure([archive, server.url, `bench_${blocks}`])))
    }
  } finally {
    await server?.close()
    remove()
  }
}

async function writeLong(to: string, blocks: number): Promise<void> {
  const recording = Recordings.load('local')
  mkdirSync(join(to, 'genesis'), { recursive: true })
  mkdirSync(join(to, 'p'))
  const ids = { genesisBytes: Hex.encode(recording.genesis.bytes) }
  writeFileSync(join(to, 'genesis/ids.json'), JSON.stringify(ids))
  const file = await open(join(to, Archive.FILES.P), 'w')
  let lines: string[] = []
  let height = 0n
  for (const { bytes, container } of longChain(recording, blocks)) {
    height += 1n
    const block = { height, id: Id.hash(bytes), time: 0n, bytes }
    lines.push(Archive.formatLine('P', container === undefined ? block : { ...block, container }))
    if (lines.length < LINES) continue
    await file.appendFile(`${lines.join('\n')}\n`)
    lines = []
  }
  if (lines.length > 0) await file.appendFile(`${lines.join('\n')}\n`)
  await file.close()
}

async function measure(args: readonly string[]): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=source', CHILD, ...args])
  return JSON.parse(stdout)
}

function line(name: string, { blocks, seconds, cpuSeconds, stages, idleMiB, peakMiB }: Measured): string {
  const parts = Object.entries(stages).map(
    ([stage, time]) => `${stage} ${((time * 1e6) / blocks).toFixed(0)}`,
  )
  const rate = (blocks / seconds).toFixed(0)
  return `${name}, ${blocks} blocks: ${rate} blocks/s; µs per block: ${parts.join(', ')}; CPU of this process ${((cpuSeconds * 1e6) / blocks).toFixed(0)}; peak memory ${peakMiB} MiB, ${idleMiB} MiB before the run`
}
