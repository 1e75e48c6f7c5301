import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHAIN_ALIASES, type ChainAlias, Hex, Json } from '@firn/codec'
import { Upgrades } from '@firn/genesis'
import { silentLogger, systemClock } from '@firn/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, unpack } from '../../testing/archives.ts'
import { replay } from '../../testing/replay.ts'
import * as DecodedBlock from '../DecodedBlock.ts'
import type { Source } from '../Source.ts'
import * as Archive from './Archive.ts'
import { createArchiveSource } from './ArchiveSource.ts'
import { writeArchive } from './ArchiveWriter.ts'
import * as GenesisFiles from './GenesisFiles.ts'
import { linesOf } from './lines.ts'

const { folder, remove } = temporaryFolder()
let made = 0
const fresh = (): string => {
  made += 1
  const at = join(folder, `${made}`)
  unpack('local', at)
  return at
}
let archive = ''
let rules: GenesisFiles.NetworkRules
beforeAll(async () => {
  archive = fresh()
  rules = await GenesisFiles.load({ archive, now: 0n })
})
afterAll(remove)

const linesIn = (at: string, chain: ChainAlias) =>
  readFileSync(join(at, Archive.FILES[chain]), 'utf8').trimEnd().split('\n')
const heightsOf = async (source: Source, from: bigint, limit: number) =>
  (await source.blocks('P', from, limit)).map((given) => Number(DecodedBlock.decode('P', given).height))
const refusal = (text: string, chain: 'P' | 'C' = 'P') => {
  try {
    Archive.parseLine(chain, text, 'here:3')
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

describe('archive line', () => {
  it('parses the height, container, id and time of a line', () => {
    const text = linesIn(archive, 'P')[5] as string
    const { height, block } = Archive.parseLine('P', text, 'here')
    const { container, containerBytes } = JSON.parse(text)
    expect(height).toBe(5n)
    expect(block).toMatchObject({ kind: 'container', origin: 'here' })
    expect(Archive.formatTime(block?.acceptedAt ?? 0n)).toBe(container.timestamp)
    expect(Hex.encode(block?.bytes ?? new Uint8Array())).toBe(containerBytes.slice(0, -8))
  })

  it('parses an inner block without a container, and returns no block for height 0', () => {
    expect(Archive.parseLine('C', '{"height":7,"rawBlock":"0xc0"}', 'here').block).toMatchObject({
      kind: 'block',
    })
    expect(Archive.parseLine('X', '{"height":0,"hash":"0x00"}', 'here').block).toBeUndefined()
  })

  it.each([
    ['{"height":5', /^here:3: expected JSON/],
    ['[5]', /expected a JSON object/],
    ['{"height":-1}', /height: expected a whole number .*, got -1/],
    ['{"height":1.5}', /height: expected a whole number/],
    ['{"height":5}', /does not contain the bytes of P-chain block 5/],
    ['{"height":5,"blockBytes":"0x00"}', /expected hex of at least 4 bytes/],
    ['{"height":5,"containerBytes":"0x001122334455"}', /^here:3: .*checksum/],
    ['{"height":5,"containerBytes":"0x00e3b0c442","container":{"id":"!"}}', /^here:3: /],
    ['{"height":5,"containerBytes":"0xe3b0c44298fc1c14","container":{"timestamp":"noon"}}', /^here:3: /],
  ])('rejects the malformed line %s with an error that names its file and line number', (text, words) => {
    expect(refusal(text)).toMatch(words)
  })

  it.each(['2026-11-20T23:30:24.039738482Z', '1970-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z'])(
    'parses the time %s and formats it as the same text',
    (text) => {
      expect(Archive.formatTime(Archive.parseTime(text, 'here'))).toBe(text)
    },
  )

  it.each(['1969-12-31T23:59:59Z', '2026-13-01T00:00:00Z', '2026-01-01', ''])(
    'rejects the time %s',
    (text) => {
      expect(() => Archive.parseTime(text, 'here')).toThrow(
        expect.objectContaining({ code: 'INDEXER_ARCHIVE' }),
      )
    },
  )
})

describe('archive', () => {
  it('returns the same blocks when it reads from any height, repeatedly', async () => {
    const source = createArchiveSource(archive)
    expect(await heightsOf(source, 1n, 3)).toEqual([1, 2, 3])
    expect(await heightsOf(source, 4n, 2)).toEqual([4, 5])
    expect(await heightsOf(source, 80n, 10)).toEqual([80, 81, 82, 83, 84, 85])
    expect(await heightsOf(source, 2n, 1)).toEqual([2])
    expect(await heightsOf(source, 86n, 5)).toEqual([])
    expect(await source.tip('P')).toBe(85n)
    await source.close()
  })

  it('reports the height of a missing block, and the line of a block with a wrong height', async () => {
    const gap = fresh()
    const lines = linesIn(gap, 'X')
    writeFileSync(join(gap, Archive.FILES.X), lines.toSpliced(12, 1).join('\n'))
    await expect(replay(createArchiveSource(gap), rules)).rejects.toMatchObject({
      code: 'INDEXER_ARCHIVE',
      message: expect.stringMatching(/expected X-chain block 12 of 35 from .*, got no block/),
    })
    writeFileSync(
      join(gap, Archive.FILES.X),
      lines.with(12, (lines[11] as string).replace('"height":11', '"height":12')).join('\n'),
    )
    await expect(replay(createArchiveSource(gap), rules)).rejects.toMatchObject({
      code: 'INDEXER_BLOCK',
      message: expect.stringMatching(
        /X-chain block 12 from .*x\/blocks\.jsonl:13: expected height 12, got 11/,
      ),
    })
  })

  it('reports the file and line of malformed JSON, even if earlier blocks are slow to apply', async () => {
    const broken = fresh()
    const lines = linesIn(broken, 'P')
    writeFileSync(join(broken, Archive.FILES.P), lines.with(60, '{"height":60,').join('\n'))
    const slow = { batchBlocks: 3, commit: () => systemClock.sleep(2) }
    await expect(replay(createArchiveSource(broken), rules, slow)).rejects.toMatchObject({
      message: expect.stringMatching(/p\/blocks\.jsonl:61: expected JSON/),
    })
  })

  it('rejects an archive without the X-chain, because other chains import from the X-chain', async () => {
    const lacking = fresh()
    rmSync(join(lacking, 'x'), { recursive: true })
    await expect(replay(createArchiveSource(lacking), rules)).rejects.toMatchObject({
      code: 'INDEXER_BLOCK',
      message: expect.stringMatching(/imports something that no block of the X-chain has exported yet/),
    })
  })

  it('rejects a folder that does not exist or contains no archive', () => {
    const words = { code: 'INDEXER_ARCHIVE' }
    expect(() => createArchiveSource(join(folder, 'nowhere'))).toThrow(expect.objectContaining(words))
    expect(() => createArchiveSource(folder)).toThrow(expect.objectContaining(words))
  })

  it('rejects an archive of another network at its first block', async () => {
    const other = join(folder, 'helicon')
    unpack('helicon', other)
    await expect(replay(createArchiveSource(other), rules)).rejects.toMatchObject({
      code: 'INDEXER_BLOCK',
      details: expect.objectContaining({ reason: 'parent' }),
    })
  })
})

describe('writeArchive', () => {
  const settings = { clock: systemClock, random: () => 0.5, log: silentLogger, pollMs: 1 }
  const signal = new AbortController().signal
  const write = async (to: string, own = rules) => {
    const source = createArchiveSource(archive)
    await writeArchive({ ...settings, source, rules: own, to }, signal).finally(() => source.close())
  }

  it('writes the same containers and genesis as in the source archive', async () => {
    const to = join(folder, 'written')
    await write(to)
    const again = await GenesisFiles.load({ archive: to, now: 0n })
    expect(again).toEqual(rules)
    for (const chain of CHAIN_ALIASES) {
      const bytes = (at: string) => linesIn(at, chain).map((line) => JSON.parse(line).containerBytes)
      expect(bytes(to)).toEqual(bytes(archive))
    }
  })

  it('resumes a truncated archive', async () => {
    const to = join(folder, 'cut')
    await write(to)
    const whole = CHAIN_ALIASES.map((chain) => readFileSync(join(to, Archive.FILES[chain]), 'utf8'))
    const cut = (whole[0] as string).length - 3_000
    writeFileSync(join(to, Archive.FILES.P), (whole[0] as string).slice(0, cut))
    writeFileSync(join(to, Archive.FILES.X), linesIn(to, 'X').slice(0, 9).join('\n').concat('\n'))
    rmSync(join(to, Archive.FILES.C))
    await write(to)
    expect(CHAIN_ALIASES.map((chain) => readFileSync(join(to, Archive.FILES[chain]), 'utf8'))).toEqual(whole)
  })

  const withUpgrades = (upgrades: Partial<Upgrades.Upgrades>) => {
    const { constants } = rules
    return { ...rules, constants: { ...constants, upgrades: { ...constants.upgrades, ...upgrades } } }
  }
  const upgradesIn = (to: string) =>
    Upgrades.fromJSON(Json.parse(readFileSync(join(to, GenesisFiles.ARCHIVE_FILES.upgrades), 'utf8')))

  it('updates the upgrade times of an archive that it resumes', async () => {
    const to = join(folder, 'scheduled')
    await write(to)
    // Helicon was scheduled after the first run, and is active at the last block.
    const scheduled = withUpgrades({ helicon: 1_700_000_000n })
    await write(to, scheduled)
    expect(upgradesIn(to)).toEqual(scheduled.constants.upgrades)
  })

  it.each([
    ['time', { helicon: 1_700_000_000n }],
    ['duration of epochs', { graniteEpochDuration: 5_000_000_000n }],
  ])('rejects another %s of an upgrade that is active at the last block', async (name, upgrades) => {
    const to = join(folder, `other ${name}`)
    await write(to, withUpgrades(upgrades))
    await expect(write(to)).rejects.toMatchObject({ code: 'INDEXER_UPGRADES' })
    expect(upgradesIn(to)).toEqual(withUpgrades(upgrades).constants.upgrades)
  })

  it('rejects a target folder with the archive of another network', async () => {
    const to = join(folder, 'mixed')
    await write(to)
    const helicon = join(folder, 'helicon')
    const source = createArchiveSource(helicon)
    const other = await GenesisFiles.load({ archive: helicon, now: 0n })
    await expect(writeArchive({ ...settings, source, rules: other, to }, signal)).rejects.toMatchObject({
      code: 'INDEXER_ARCHIVE_EXISTS',
    })
  })
})

it('returns lines that are split across read chunks', async () => {
  const path = join(folder, 'lines')
  const texts = ['a'.repeat(1 << 20), '', 'b', 'é'.repeat(700_000), 'last']
  writeFileSync(path, texts.join('\n'))
  const found: string[] = []
  for await (const { number, text } of linesOf(path)) found.push(`${number} ${text.length} ${text.at(-1)}`)
  expect(found).toEqual(['1 1048576 a', '3 1 b', '4 700000 é', '5 4 t'])
  appendFileSync(path, '\n')
  let count = 0
  for await (const _ of linesOf(path)) count += 1
  expect(count).toBe(4)
})
