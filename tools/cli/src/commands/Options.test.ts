import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayCommand } from '@firn/gateway'
import { IndexingOptions } from '@firn/indexer'
import { type Command, Program as OptionsProgram } from '@firn/options'
import { afterAll, describe, expect, test } from 'vitest'
import { PROGRAM } from '../Program.ts'
import type * as DataApi from './DataApi.ts'
import type * as Up from './Up.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-options-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
    demo: 'the demo starts its own EVM chain',
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
    '--allow-method',
    'debug_traceTransaction,txpool_status',
    '--deny',
    'eth_sign*',
    '--cost',
    'eth_call=7',
    '--credits-per-second',
    '11',
  ],
  ...['--burst', '12', '--max-connections', '13', '--max-connections-per-address', '14', '--requests', '15'],
  ...['--requests-per-address', '16', '--body-bytes', '17', '--answer-bytes', '18', '--batch-calls', '19'],
  ...['--answer-timeout', '20ms', '--proxies', '2', '--data-dir', folder, '--gateway-port', '0'],
]

describe.each(['up', 'evm'])('options of the gateway in firn %s', (name) => {
  test('converts options of the command to options of the gateway', async () => {
    const options = await parse<Up.Options>(name, ...GATEWAY, '--chain', 'http://node.test')
    const { methods, settings } = GatewayCommand.toGateway(options)
    expect(methods).toEqual({
      allowMethods: ['debug_traceTransaction', 'txpool_status'],
      deny: ['eth_sign*'],
    })
    expect(settings).toMatchObject({
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
  })
})

test.each(['up', 'data-api', 'index'])(
  'converts the indexing options of firn %s to the options of the indexer',
  async (name) => {
    const argv = ['--from', folder, '--batch-blocks', '7', '--poll-interval', '8ms', '--no-check-signatures']
    const options = await parse<DataApi.Options>(name, ...argv)
    expect(IndexingOptions.toIndexer(options)).toEqual({ batchBlocks: 7, pollMs: 8, checkSignatures: false })
  },
)
