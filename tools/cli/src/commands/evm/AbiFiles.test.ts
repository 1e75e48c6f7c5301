import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type LocalEvm, startLocalEvm } from '@firn/demo-chain'
import { AbiFile, EventAbi } from '@firn/evm'
import { encodeAbiParameters, getAddress, toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import * as Run from '../../Run.ts'
import { freePort } from './freePort.ts'

const VECTORS = fileURLToPath(new URL('../../../vectors/abis', import.meta.url))
const TAKEN = join(VECTORS, 'taken')
const CHAIN_ID = 778
const GENESIS = 1_790_000_000
const folder = mkdtempSync(join(tmpdir(), 'firn-abi-files-'))

/** The names of the arguments of each event, by file and by the name of the event in the API. */
const ARGUMENTS = JSON.parse(readFileSync(join(VECTORS, 'arguments.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
>
/** Messages about files that are refused. */
const REFUSED = JSON.parse(readFileSync(join(VECTORS, 'refused.json'), 'utf8')) as Readonly<
  Record<string, string>
>

/** Events that are also requested by their first two arguments. */
const FILTERED = ['FunctionType.Called', 'BeyondAscii.Überweisung']

/** An event of a file, and how the API names it and its arguments. */
type Case = {
  readonly name: string
  readonly names: readonly string[]
  readonly inputs: readonly EventAbi.EventInput[]
  readonly topics: number
  readonly selector: string
}

const parse = (file: string): AbiFile.AbiFile => {
  const bytes = readFileSync(join(TAKEN, file))
  const encoding = bytes[0] === 0xff ? 'utf-16le' : 'utf-8'
  return AbiFile.read(JSON.parse(new TextDecoder(encoding).decode(bytes)))
}

const CASES: readonly Case[] = Object.entries(ARGUMENTS).flatMap(([file, events]) =>
  parse(file).events.map(({ name: event, inputs }, i): Case => {
    const [name, names] = Object.entries(events)[i] as [string, readonly string[]]
    const topics = 1 + inputs.filter(({ indexed }) => indexed).length
    const selector = toEventSelector({ type: 'event', name: event, inputs } as never)
    return { name, names, inputs, topics, selector }
  }),
)

/** A value as the API returns it, and as viem encodes it. */
type Sample = { readonly json: unknown; readonly encoded: unknown }

let seed = 0
const hex = (bytes: number): `0x${string}` => {
  seed += 1
  return `0x${seed
    .toString(16)
    .padStart(6, '0')
    .repeat(11)
    .slice(0, 2 * bytes)}`
}

/** Returns a value of a type that differs from all others. */
const sample = ({ type, components = [], ...rest }: EventAbi.Parameter): Sample => {
  const array = EventAbi.arrayOf(type)
  if (array !== undefined) {
    const own = Array.from({ length: array.length ?? 2 }, () =>
      sample({ ...rest, components, type: array.type }),
    )
    return { json: own.map(({ json }) => json), encoded: own.map(({ encoded }) => encoded) }
  }
  if (type === 'tuple') {
    const own = components.map(sample)
    return { json: own.map(({ json }) => json), encoded: own.map(({ encoded }) => encoded) }
  }
  const [, kind, size = ''] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  if (kind === 'bool') return { json: ++seed % 2 === 0, encoded: seed % 2 === 0 }
  if (kind === 'string') return { json: `Grüße ${++seed} 🎉`, encoded: `Grüße ${seed} 🎉` }
  if (kind === 'address') {
    const address = getAddress(hex(20))
    return { json: address, encoded: address }
  }
  if (kind === 'function') {
    const reference = hex(24)
    return { json: reference, encoded: reference }
  }
  if (kind === 'bytes') {
    const bytes = hex(size === '' ? 33 : Number(size))
    return { json: bytes, encoded: bytes }
  }
  seed += 1
  const value = kind === 'int' ? -BigInt(seed % 100) : size === '8' ? BigInt(seed % 256) : BigInt(seed)
  return { json: String(value), encoded: value }
}

/** Returns a parameter as viem encodes it: it does not know functions, and finds the members of tuples by position. */
const forViem = ({ type, components }: EventAbi.Parameter): object => ({
  type: type.replace(/^function/, 'bytes24'),
  ...(components === undefined ? {} : { components: components.map(forViem) }),
})

const isHashed = (type: string): boolean => /^(?:string|bytes|tuple)$|\]$/.test(type)

/** Returns the values of a log, and its topics and data. */
const logOf = ({ inputs, selector }: Case) => {
  const values = inputs.map((input) => {
    if (!input.indexed || !isHashed(input.type)) return sample(input)
    const hash = hex(32)
    return { json: hash, encoded: hash }
  })
  const pairs = inputs.map((input, i) => ({ input, value: values[i] as Sample }))
  const topics = pairs
    .filter(({ input }) => input.indexed)
    .map(({ input, value }) =>
      encodeAbiParameters(
        [forViem(isHashed(input.type) ? { name: '', type: 'bytes32' } : input)] as never,
        [value.encoded] as never,
      ),
    )
  const others = pairs.filter(({ input }) => !input.indexed)
  const data = encodeAbiParameters(
    others.map(({ input }) => forViem(input)) as never,
    others.map(({ value }) => value.encoded) as never,
  )
  return { json: values.map(({ json }) => json), topics: [selector, ...topics], data }
}

/** Returns the address of the contract that emits logs with a number of topics. */
const emitter = (topics: number): string => `0x${'0'.repeat(37)}0c${topics}`

/** Returns code that emits a log with `topics` topics: the first words of the call's data. The rest is the data of the log. */
const emitterCode = (topics: number): string => {
  const skip = (32 * topics).toString(16).padStart(2, '0')
  // calldatacopy(0, skip, calldatasize - skip); then the topics from the last to the first, the size and the offset.
  const copy = `60${skip}360360${skip}600037`
  const words = Array.from({ length: topics }, (_, i) =>
    (32 * (topics - 1 - i)).toString(16).padStart(2, '0'),
  )
  return `0x${copy}${words.map((at) => `60${at}35`).join('')}60${skip}36036000a${topics}00`
}

describe('firn evm --events', () => {
  let evm: LocalEvm
  /** The arguments of the emitted logs, newest first, by first topic and number of topics. */
  const emitted = new Map<string, unknown[][]>()
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(evm.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }

  beforeAll(async () => {
    const signal = new AbortController().signal
    evm = await startLocalEvm({ port: await freePort(), chainId: CHAIN_ID, genesisTime: GENESIS, signal })
    for (const topics of [1, 2, 3, 4]) await ask('anvil_setCode', [emitter(topics), emitterCode(topics)])
    const [from] = (await ask('eth_accounts', [])) as string[]
    for (const one of CASES) {
      const key = `${one.selector} ${one.topics}`
      const before = emitted.get(key) ?? []
      if (before.length === 2) continue
      const { json, topics, data } = logOf(one)
      emitted.set(key, [json, ...before])
      const call = `0x${[...topics, data].map((part) => part.slice(2)).join('')}`
      await ask('eth_sendTransaction', [{ from, to: emitter(one.topics), data: call, gas: '0x1e8480' }])
      if (emitted.size % 10 === 0) await ask('evm_mine', [])
    }
    await ask('evm_mine', [])
  })
  afterAll(async () => {
    await evm?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('lists each argument of the events in files of all kinds, and writes types that compile', async () => {
    const stop = new AbortController()
    const up = Promise.withResolvers<void>()
    const lines: string[] = []
    const take = (line: string) => {
      lines.push(line)
      if (line.startsWith('Press Ctrl-C')) up.resolve()
    }
    const types = join(folder, 'events.ts')
    const files = ['--events', TAKEN, '--event-types', types, '--data-dir', join(folder, 'data')]
    const argv = ['evm', '--chain', evm.url, ...files, '--port', '0', '--gateway-port', '0']
    const terminal = { print: take, note: take, isInteractive: false, signal: stop.signal }
    const running = Run.run(argv, terminal)
    try {
      await Promise.race([up.promise, running])
      const api = lines.find((line) => line.startsWith('Data API'))?.match(/http:\S+/)?.[0] ?? ''
      const head = String(Number(await ask('eth_blockNumber', [])))
      const get = async (name: string, query = '') => {
        const path = `/v1/chains/${CHAIN_ID}/events/${encodeURIComponent(name)}?${query}`
        const response = await fetch(`${api}${path}`)
        return [response.status, (await response.json()) as Listed] as const
      }
      await expect.poll(async () => (await get(CASES.at(-1)?.name ?? ''))[1].completeToBlock).toBe(head)
      for (const { name, names, selector, topics } of CASES) {
        const [status, { events }] = await get(name)
        const values = emitted.get(`${selector} ${topics}`) ?? []
        const wanted = values.map((own) => Object.fromEntries(own.map((value, i) => [names[i], value])))
        expect([name, status, events?.map(({ args }) => args)]).toEqual([name, 200, wanted])
        expect(values.length).toBeGreaterThan(0)
        if (!FILTERED.includes(name)) continue
        for (const [at, argument] of names.slice(0, 2).entries()) {
          const filter = `args=${encodeURIComponent(`${argument}=${values[0]?.[at]}`)}`
          expect((await get(name, filter))[1].events?.map(({ args }) => args)).toEqual(wanted.slice(0, 1))
        }
      }
      expect(lines.join('\n')).toMatch(/anonymous events are not decoded.*LogNote|LogNote.*anonymous events/s)
      expect(lines.join('\n')).toContain('the ABI has no events')
    } finally {
      stop.abort()
      await running
    }
    await checkTypes(types)
  })
})

type Listed = {
  readonly completeToBlock?: string
  readonly events?: readonly { readonly args: object }[]
}

const run = promisify(execFile)

/** Compiles types, and a use of each event, with the oldest supported TypeScript and with the newest. */
async function checkTypes(types: string): Promise<void> {
  const uses = CASES.map(
    ({ name, names }) =>
      `(args: EventArgs[${JSON.stringify(name)}]) => [${names.map((one) => `args[${JSON.stringify(one)}]`)}],`,
  )
  const use = join(dirname(types), 'use.ts')
  writeFileSync(
    use,
    `import type { EventArgs } from './events.ts'\nexport const uses = [\n${uses.join('\n')}\n]\n`,
  )
  const compilerOptions = {
    ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, allowImportingTsExtensions: true },
    ...{ target: 'es2022', module: 'nodenext', types: [] },
  }
  const project = join(dirname(types), 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  const require = createRequire(new URL('../../../../check/package.json', import.meta.url))
  for (const [compiler, version] of [
    ['typescript-least', '5.7'],
    ['typescript', '7.'],
  ]) {
    const manifest = require.resolve(`${compiler}/package.json`)
    expect((JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version).toContain(version)
    const program = join(dirname(manifest), 'bin/tsc')
    const { stdout } = await run(process.execPath, [program, '--project', project]).catch(
      (error: { stdout: string }) => error,
    )
    expect([compiler, stdout]).toEqual([compiler, ''])
  }
}

test('there are at least 40 ABI files of different kinds', () => {
  expect(Object.keys(ARGUMENTS).toSorted()).toEqual(readdirSync(TAKEN).toSorted())
  expect(Object.keys(REFUSED).toSorted()).toEqual(readdirSync(join(VECTORS, 'refused')).toSorted())
  expect(Object.keys(ARGUMENTS).length).toBeGreaterThanOrEqual(40)
})

describe('firn evm', () => {
  it.each(Object.entries(REFUSED))('refuses %s before the service starts', async (file, message) => {
    const lines: string[] = []
    const take = (line: string) => {
      lines.push(line)
    }
    const path = join(VECTORS, 'refused', file)
    const terminal = { print: take, note: take, isInteractive: false, signal: new AbortController().signal }
    const place = ['--data-dir', join(folder, 'none'), '--port', '0', '--gateway-port', '0']
    const argv = ['evm', '--chain', `${CHAIN_ID}=http://127.0.0.1:9`, '--events', path, ...place]
    expect(await Run.run(argv, terminal)).not.toBe(0)
    expect(lines.join('\n')).toContain(`${path}: ${message}`)
    expect(lines.join('\n')).not.toContain('http://127.0.0.1:')
  })
})
