import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Hex } from '@firn/codec'
import { silentLogger, systemClock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AbiFiles, createAbiFiles, metadataOf } from '../testing/abiFiles.ts'
import { openAbiFolder } from './AbiFolder.ts'
import * as AbiSources from './AbiSources.ts'
import * as SelectorFile from './SelectorFile.ts'

const CHAIN = 43_114n
/** An address with its checksum, from the examples of ERC-55. */
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const address = Hex.decode(ADDRESS.toLowerCase())
const burn = { type: 'function', name: 'burn', inputs: [{ name: 'value', type: 'uint256' }] }
const pause = { type: 'function', name: 'pause', inputs: [] }

let files: AbiFiles
beforeEach(() => {
  files = createAbiFiles()
})
afterEach(() => files.remove())

describe('openAbiFolder', () => {
  /** Opens the folder with a clock that each look moves beyond the time for which files are not examined. */
  async function open() {
    const warnings: unknown[] = []
    let time = 0
    const folder = await openAbiFolder({
      path: files.root,
      now: () => time,
      log: { warn: (facts) => void warnings.push(facts) },
    })
    const find = async () => {
      time += 2_000
      const found = await folder.find(CHAIN, address)
      return (
        found && [found.match, found.name, [...found.abi.functions.values()].flat().map(({ name }) => name)]
      )
    }
    return { find, warnings }
  }

  test('prefers the exact match, and follows changes of the files', async () => {
    const { find, warnings } = await open()
    expect(await find()).toBeUndefined()
    files.write('partial_match', CHAIN, ADDRESS, metadataOf('Part', [burn]))
    expect(await find()).toEqual(['partial', 'Part', ['burn']])
    files.write('full_match', CHAIN, ADDRESS.toLowerCase(), metadataOf('Whole', [burn, pause]))
    expect(await find()).toEqual(['exact', 'Whole', ['burn', 'pause']])
    files.write('full_match', CHAIN, ADDRESS, metadataOf('Checksummed', [pause]))
    expect(await find()).toEqual(['exact', 'Checksummed', ['pause']])
    for (const name of [ADDRESS, ADDRESS.toLowerCase()]) rmSync(files.path('full_match', CHAIN, name))
    expect(await find()).toEqual(['partial', 'Part', ['burn']])
    expect(warnings).toEqual([])
  })

  test.each<[name: string, content: unknown, reason: RegExp]>([
    ['text that is not JSON', '{"output":', /JSON/],
    ['an empty file', '', /JSON/],
    ['null', 'null', /expected an ABI/],
    ['an ABI that is no list', { output: { abi: { length: 1 } } }, /expected an ABI/],
    ['entries that are no objects', { output: { abi: [7] } }, /entries are objects/],
    ['JSON that is nested deeply', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, /expected an ABI|stack/],
    ['too many entries', { output: { abi: Array(10_001).fill(pause) } }, /at most 10000/],
    ['a file that is too large', ' '.repeat((4 << 20) + 1), /at most 4194304 bytes/],
  ])('logs %s once, and counts the contract as not verified', async (_name, content, reason) => {
    files.write('full_match', CHAIN, ADDRESS, content)
    const { find, warnings } = await open()
    expect([await find(), await find()]).toEqual([undefined, undefined])
    expect(warnings).toEqual([
      { file: files.path('full_match', CHAIN, ADDRESS), reason: expect.stringMatching(reason) },
    ])
    files.write('full_match', CHAIN, ADDRESS, metadataOf('Mended', [pause]))
    expect(await find()).toEqual(['exact', 'Mended', ['pause']])
  })

  test('leaves out a name that is no identifier', async () => {
    files.write('full_match', CHAIN, ADDRESS, metadataOf('<script>', [pause]))
    expect(await (await open()).find()).toEqual(['exact', undefined, ['pause']])
  })

  test('does not follow links out of the folder, nor wait for pipes', async () => {
    const { find, warnings } = await open()
    const outside = createAbiFiles()
    try {
      outside.write('full_match', CHAIN, ADDRESS, metadataOf('Outside', [burn]))
      const file = files.path('full_match', CHAIN, ADDRESS)
      mkdirSync(dirname(file), { recursive: true })
      symlinkSync(outside.path('full_match', CHAIN, ADDRESS), file)
      expect(await find()).toBeUndefined()
      rmSync(dirname(file), { recursive: true })
      symlinkSync(dirname(outside.path('full_match', CHAIN, ADDRESS)), dirname(file))
      expect(await find()).toBeUndefined()
      unlinkSync(dirname(file))
      mkdirSync(dirname(file))
      execFileSync('mkfifo', [file])
      expect(await find()).toBeUndefined()
      rmSync(file)
      symlinkSync(file, file)
      expect(await find()).toBeUndefined()
      // Both links lead to the same file, so it is logged once.
      const reasons = ['outside the folder', 'expected a file']
      expect(warnings).toEqual(reasons.map((reason) => ({ file, reason: expect.stringContaining(reason) })))
      rmSync(file)
      files.write('partial_match', CHAIN, 'inside', metadataOf('Inside', [pause]))
      symlinkSync(files.path('partial_match', CHAIN, 'inside'), file)
      expect(await find()).toEqual(['exact', 'Inside', ['pause']])
    } finally {
      outside.remove()
    }
  })

  test('rejects a folder that does not exist', async () => {
    const options = { path: join(files.root, 'none'), now: () => 0, log: silentLogger }
    await expect(openAbiFolder(options)).rejects.toMatchObject({ code: 'DATA_CONFIGURATION' })
  })
})

describe('SelectorFile.parse', () => {
  const keys = ({ functions, events }: SelectorFile.Selectors) => [
    Object.fromEntries(functions),
    [...events.values()].flat(),
  ]

  test('reads lines with and without selectors', async () => {
    const text = [
      '# comment',
      '',
      'burn(uint256)',
      '0x42966c68: collate_propagate_storage(bytes16)',
      '0xa9059cbb,"transfer(address to, uint256 value)"',
      'function pause() external;',
      '  event Paused(address account)\r',
      '0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258 Paused(address)',
      'error Failed(uint256)',
    ].join('\n')
    const found = await SelectorFile.parse(text)
    expect(found).toMatchObject({ count: 6, omitted: 0, problems: [] })
    expect(keys(found)).toEqual([
      {
        '42966c68': ['burn(uint256)', 'collate_propagate_storage(bytes16)'],
        a9059cbb: ['transfer(address to, uint256 value)'],
        '8456cb59': ['function pause() external'],
      },
      ['event Paused(address account)', 'event Paused(address)'],
    ])
  })

  test.each<[name: string, json: unknown]>([
    ['a list of signatures', ['burn(uint256)', 'event Paused(address account)']],
    ['an ABI', [burn, { type: 'event', name: 'Paused', inputs: [{ name: 'account', type: 'address' }] }]],
    [
      'an object by selectors',
      {
        '0x42966c68': ['burn(uint256)'],
        '0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258': 'Paused(address account)',
      },
    ],
  ])('reads %s in JSON', async (_name, json) => {
    const { functions, events, count } = await SelectorFile.parse(JSON.stringify(json))
    expect([[...functions.keys()], [...events.keys()], count]).toEqual([
      ['42966c68'],
      ['62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258'],
      2,
    ])
  })

  test('leaves out wrong entries and names the first ones', async () => {
    const text = [
      'burn(uint256)',
      '0x00000000: burn(uint256)',
      '<script>',
      ...Array(20).fill('f(uint7)'),
    ].join('\n')
    const { count, omitted, problems } = await SelectorFile.parse(text)
    expect([count, omitted, problems.length]).toEqual([1, 22, 5])
    expect(problems.slice(0, 3)).toEqual([
      'line 2: expected 0x42966c68, the selector of the signature, got "0x00000000"',
      'line 3: expected a signature such as transfer(address,uint256)',
      expect.stringContaining('line 4: signature: unknown type uint7; '),
    ])
  })

  test('leaves out JSON of other kinds', async () => {
    for (const json of ['[1,null,[],{}]', '{"a":1,"b":[[[]]],"__proto__":"f()"}']) {
      const { count, omitted } = await SelectorFile.parse(json)
      expect([count, omitted > 0]).toEqual([0, true])
    }
    await expect(SelectorFile.parse('{')).rejects.toThrow('JSON')
  })

  test('keeps 16 of many signatures with one selector', async () => {
    const text = Array.from({ length: 40 }, (_, i) => `burn(uint256 a${i})`).join('\n')
    const { functions } = await SelectorFile.parse(text)
    expect(functions.get('42966c68')).toHaveLength(16)
  })
})

describe('AbiSources.open', () => {
  test('reads the selector file again when it changes, and keeps the signatures while it is wrong', async () => {
    const file = join(files.root, 'selectors.txt')
    writeFileSync(file, 'first(uint256)\n')
    const sources = await AbiSources.open({ selectors: file, clock: systemClock, log: silentLogger })
    try {
      const selector = Hex.decode(`0x${[...(await SelectorFile.read(file)).functions.keys()][0]}`)
      expect(sources.methodName(selector)).toBe('first(uint256)')
      const { revision } = sources
      writeFileSync(file, '[')
      await until(() => expect(sources.problems).toHaveLength(1))
      expect(sources.problems[0]).toContain('the signatures before the change are used')
      expect(sources.methodName(selector)).toBe('first(uint256)')
      writeFileSync(file, '["second(uint256)"]')
      await until(() => expect(sources.problems).toEqual([]))
      expect(sources.methodName(selector)).toBeUndefined()
      expect(sources.revision).not.toBe(revision)
    } finally {
      sources.close()
    }
  })

  test('gives a method a name only if one is known', async () => {
    const file = join(files.root, 'selectors.txt')
    // The first two have one selector, and so have the other two.
    writeFileSync(file, 'burn(uint256)\ncollate_propagate_storage(bytes16)\nlonely(bytes7)\n')
    const sources = await AbiSources.open({ selectors: file, clock: systemClock, log: silentLogger })
    try {
      expect(sources.functions('42966c68').map(({ abi, origin }) => [abi.name, origin])).toEqual([
        ['burn', 'standard'],
        ['collate_propagate_storage', 'selectors'],
      ])
      // A name of a standard is shown, whatever the operator's file adds.
      expect(sources.methodName(Hex.decode('0x42966c68'))).toBe('burn(uint256)')
    } finally {
      sources.close()
    }
  })

  test('rejects a selector file that does not exist, or is a pipe', async () => {
    const options = { clock: systemClock, log: silentLogger }
    const pipe = join(files.root, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const selectors of [join(files.root, 'none'), pipe, files.root])
      await expect(AbiSources.open({ ...options, selectors })).rejects.toMatchObject({
        code: 'DATA_CONFIGURATION',
      })
  })
})
