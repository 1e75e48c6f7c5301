import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway } from '@firn/gateway'
import { type Command, Program as OptionsProgram } from '@firn/options'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { PROGRAM } from '../Program.ts'
import type * as DataApi from './DataApi.ts'
import * as EvmServices from './evm/EvmServices.ts'
import * as IndexingOptions from './IndexingOptions.ts'
import type * as Up from './Up.ts'

// The files of a package share modules, and mocks apply to modules that are loaded after them.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
vi.mock('@firn/gateway', async (original) => ({
  ...(await original<typeof import('@firn/gateway')>()),
  createGateway: vi.fn(async () => ({ url: 'http://gateway.test', close: async () => undefined })),
}))

const folder = mkdtempSync(join(tmpdir(), 'firn-options-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const log = { debug() {}, info() {}, warn() {}, error() {} }

const commandOf = async (name: string): Promise<Command.Command> => {
  const found = PROGRAM.commands[name]
  if (found === undefined || !('load' in found)) throw new Error(`no command ${name}`)
  return found.load()
}

/** Options of the single commands that `firn up` lacks on purpose, each with the reason. */
const OMITTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'data-api': {
    port: '--data-port, because firn up starts several servers',
    aggregatorUrl: 'firn up starts its own aggregator',
  },
  gateway: { port: '--gateway-port, because firn up starts several servers' },
  index: {
    once: 'firn up runs until it is stopped',
    metricsHost: 'the Data API serves the metrics of the indexer',
  },
  evm: {
    port: '--data-port, because firn up starts several servers',
    demo: 'the demo starts an EVM chain of its own',
    once: 'an option of the demo only',
    evmPort: 'an option of the demo only',
    reset: 'run firn evm --reset before firn up',
  },
}

describe.each(Object.entries(OMITTED))('firn up and firn %s', (name, omitted) => {
  test('offers all options of the command in firn up, except those with a documented reason', async () => {
    const up = Object.keys((await commandOf('up')).options)
    const missing = Object.keys((await commandOf(name)).options).filter((one) => !up.includes(one))
    expect(missing.toSorted()).toEqual(Object.keys(omitted).toSorted())
  })

  test('has the same help and defaults for an option in firn up and in the command', async () => {
    const { options } = await commandOf(name)
    for (const [key, { default: value, help }] of Object.entries((await commandOf('up')).options)) {
      const same = options[key]
      // Services that serve stored chains have another `--chain`: the nodes are optional.
      if (same === undefined || (['gateway', 'data-api'].includes(name) && key === 'chain')) continue
      if (name === 'index' && key === 'metricsPort') continue
      expect([key, same.default, same.help]).toEqual([key, value, help])
    }
  })
})

/** Returns the option values of a command for the given arguments. */
const parse = async <T>(name: string, ...argv: readonly string[]): Promise<T> => {
  const parsed = OptionsProgram.parse(await commandOf(name), { argv, environment: {}, readFile: () => '' })
  if (parsed.kind !== 'run') throw new Error(`parsed as ${parsed.kind}`)
  return parsed.values as T
}

const GATEWAY = [
  ...[
    '--allow',
    'eth_*,net_version',
    '--deny',
    'eth_sign*',
    '--cost',
    'eth_call=7',
    '--credits-per-second',
    '11',
  ],
  ...['--burst', '12', '--connections', '13', '--connections-per-address', '14', '--requests', '15'],
  ...['--requests-per-address', '16', '--body-bytes', '17', '--answer-bytes', '18', '--batch-calls', '19'],
  ...['--answer-timeout', '20ms', '--proxies', '2', '--data-dir', folder, '--gateway-port', '0'],
]

describe.each(['up', 'evm'])('options of the gateway in firn %s', (name) => {
  test('forwards the gateway options to the gateway', async () => {
    const options = await parse<Up.Options>(name, ...GATEWAY, '--chain', 'http://node.test')
    const about = { name: 'x', network: 'local', token: { name: 'x', symbol: 'x', decimals: 18 } } as const
    const chain = {
      chainId: 5n,
      names: ['5'],
      urls: ['http://node.test'],
      about: { ...about, blockchainId: undefined, subnetId: undefined },
      firstHeight: undefined,
      links: undefined,
    }
    const { close } = await EvmServices.openGateway(options, [chain], [], log)
    await close()
    expect(vi.mocked(createGateway).mock.lastCall?.[0]).toMatchObject({
      chains: [{ names: ['5'], allow: ['eth_*', 'net_version'], deny: ['eth_sign*'] }],
      costs: { eth_call: 7 },
      proxies: 2,
      limits: {
        rate: { perSecond: 11, burst: 12 },
        connections: 13,
        connectionsPerAddress: 14,
        requests: 15,
        requestsPerAddress: 16,
        bodyBytes: 17,
        answerBytes: 18,
        batchCalls: 19,
        answerMs: 20,
      },
    })
  }, 60_000)
})

test.each(['up', 'data-api', 'index'])(
  'converts the indexing options of firn %s to the options of the indexer',
  async (name) => {
    const argv = ['--from', folder, '--batch-blocks', '7', '--poll-interval', '8ms', '--no-check-signatures']
    const options = await parse<DataApi.Options>(name, ...argv)
    expect(IndexingOptions.toIndexer(options)).toEqual({ batchBlocks: 7, pollMs: 8, checkSignatures: false })
  },
)
