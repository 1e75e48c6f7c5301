import { readFileSync } from 'node:fs'
import solc from 'solc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CREATION_CODE } from './creationCode.ts'
import { createDemo } from './Demo.ts'
import { call } from './internal/call.ts'
import { freePort } from './internal/freePort.ts'
import { type LocalEvm, startLocalEvm } from './LocalEvm.ts'
import { MESSENGER_CODE } from './messengerCode.ts'
import { PROXY_CODE } from './proxyCode.ts'
import { TEXTS_CODE } from './textsCode.ts'
import { WARP_CODE } from './warpCode.ts'
import { ZOO_CODE } from './zooCode.ts'

const GENESIS = 1_700_000_000
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

test('has the code that solc produces from the contracts', () => {
  const names = ['Demo.sol', 'Messenger.sol', 'Proxies.sol', 'Texts.sol', 'Warp.sol', 'Zoo.sol']
  const read = (name: string) => readFileSync(new URL(`../contracts/${name}`, import.meta.url), 'utf8')
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'paris',
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } },
  }
  const sources = Object.fromEntries(names.map((name) => [name, { content: read(name) }]))
  const { contracts } = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
  ) as { contracts: Record<string, Record<string, Compiled>> }
  const creationCodes = (file: string) => {
    const all = Object.entries(contracts[file] as Record<string, Compiled>)
    return Object.fromEntries(all.map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`]))
  }
  const { Child: _, ...demo } = creationCodes('Demo.sol')
  expect(demo).toEqual(CREATION_CODE)
  const { Erc20: _a, Scaled: _b, OtherLog: _c, Erc721: _d, Mortal: _e, ...zoo } = creationCodes('Zoo.sol')
  expect(zoo).toEqual(ZOO_CODE)
  const { Delegating: _f, ...proxies } = creationCodes('Proxies.sol')
  expect(proxies).toEqual(PROXY_CODE)
  expect(creationCodes('Texts.sol')).toEqual({ Texts: TEXTS_CODE })
  expect(creationCodes('Messenger.sol')).toEqual(MESSENGER_CODE)
  const { WarpPrecompile, Mailbox } = contracts['Warp.sol'] as Record<string, Compiled>
  expect(WARP_CODE).toEqual({
    precompile: `0x${WarpPrecompile?.evm.deployedBytecode.object}`,
    mailbox: `0x${Mailbox?.evm.bytecode.object}`,
  })
})

interface Compiled {
  readonly evm: { readonly bytecode: { object: string }; readonly deployedBytecode: { object: string } }
}

describe('local EVM', () => {
  let evm: LocalEvm

  beforeAll(async () => {
    const signal = new AbortController().signal
    evm = await startLocalEvm({ port: await freePort(), chainId: 4_242, genesisTime: GENESIS, signal })
  })
  afterAll(() => evm?.close())

  test('rejects a port that is in use by another process', async () => {
    const port = Number(new URL(evm.url).port)
    const options = { port, chainId: 4_243, genesisTime: GENESIS, signal: new AbortController().signal }
    await expect(startLocalEvm(options)).rejects.toMatchObject({ code: 'DEMO_CHAIN_START' })
  })

  test('creates every kind of traffic in blocks with the given times', async () => {
    const demo = await createDemo(evm.url, GENESIS + 10)
    for (let round = 0; round < 12; round++) await demo.block(GENESIS + 100 + 86_400 * round)
    const block = await call<{ number: string; timestamp: string }>(evm.url, 'eth_getBlockByNumber', [
      'latest',
      false,
    ])
    expect([Number(block.number), Number(block.timestamp)]).toEqual([13, GENESIS + 100 + 86_400 * 11])
    const receipts = await Promise.all(
      Array.from({ length: 13 }, (_, index) =>
        call<{ status: string; logs: { address: string; topics: string[] }[] }[]>(
          evm.url,
          'eth_getBlockReceipts',
          [`0x${(index + 1).toString(16)}`],
        ),
      ),
    )
    const all = receipts.flat()
    const { token, collectible, items } = demo.contracts
    const logs = all.flatMap((receipt) => receipt.logs)
    expect(all.filter(({ status }) => status === '0x0')).toHaveLength(4)
    expect(logs.filter(({ address }) => address === token)).toHaveLength(24)
    expect(logs.filter(({ address }) => address === collectible)).toHaveLength(18)
    expect(logs.filter(({ address }) => address === items)).toHaveLength(36)
    expect(logs.filter(({ topics }) => topics[0] === TRANSFER)).toHaveLength(42)
  })
})
