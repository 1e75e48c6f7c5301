import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Bytes, Hex } from '@firn/codec'
import { AbiSignature, type ContractFacts, type Log } from '@firn/evm'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import {
  evmAddress,
  evmBlock,
  evmHash,
  evmTransaction,
  openEvm,
  recordedEvmStore,
  TEST_CHAIN,
} from '@firn/evm-store/testing'
import { silentLogger, systemClock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as AbiSources from '../../decoding/AbiSources.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import { type AbiFiles, createAbiFiles, metadataOf } from '../../testing/abiFiles.ts'
import { client } from '../../testing/client.ts'
import { createEvm, evmContextOf, serveEvm } from '../../testing/serveEvm.ts'
import { evmEndpoints } from '../Endpoints.ts'

const [TOKEN, PROXY, FIRST, SECOND, STRANGER] = [9, 10, 21, 22, 30].map(evmAddress) as [
  ...[Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array],
]
const UPGRADED = Hex.decode('0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b')
const hex = (bytes: Uint8Array) => Hex.encode(bytes)
const word = (address: Uint8Array) => Bytes.concat(new Uint8Array(12), address)

/** Returns the ABI of signatures as a compiler writes it. */
const abiOf = (...signatures: readonly string[]) =>
  signatures.map((text) => {
    const { kind, abi } = AbiSignature.parse(text)
    return { type: kind, ...abi }
  })
const call = (signature: string, args: readonly unknown[]) =>
  Hex.decode(encodeFunctionData({ abi: parseAbi([signature] as never), args } as never))
const log = (
  index: bigint,
  address: Uint8Array,
  topics: readonly Uint8Array[],
  data = new Uint8Array(),
): Log => ({
  ...{ index, address, topics, data },
})

const SWAP = 'function swap((address token, uint256[] amounts)[] steps, string note, bytes32 salt)'
const NOTE = '<script>alert(1)</script>\u202e'
const PAID = 'event Paid(address indexed from, string indexed memo, uint256 amount)'
const paidTopic = Hex.decode(`0x${'a'.repeat(64)}`)

/** Transactions by name: what they call, and what they log. */
const swap = call(SWAP, [[{ token: hex(STRANGER), amounts: [1n, 2n ** 255n] }], NOTE, hex(evmHash(1n))])
const move = (value: bigint) => call('function move(uint256 value)', [value])
const burn = call('function burn(uint256 value)', [7n << 128n])
const BLOCKS: readonly (readonly {
  readonly to: Uint8Array
  readonly input: Uint8Array
  readonly logs?: readonly Log[]
}[])[] = [
  [{ to: TOKEN, input: swap }],
  [
    { to: PROXY, input: move(1n) },
    {
      to: PROXY,
      input: call('function upgradeTo(address next)', [hex(SECOND)]),
      logs: [
        log(0n, PROXY, [paidTopic]),
        log(1n, PROXY, [UPGRADED, word(SECOND)]),
        log(2n, PROXY, [paidTopic]),
      ],
    },
    { to: PROXY, input: move(2n) },
  ],
  [
    { to: STRANGER, input: burn },
    { to: TOKEN, input: swap.slice(0, 40) },
    { to: TOKEN, input: Uint8Array.of(1, 2, 3) },
    { to: TOKEN, input: Uint8Array.of(1, 2, 3, 4) },
    { to: STRANGER, input: new Uint8Array((128 << 10) + 1) },
    { to: STRANGER, input: new Uint8Array() },
  ],
]
const txHash = (height: number, index: number) => evmHash(BigInt(height * 100 + index + 1_000))

let files: AbiFiles
let store: EvmStore
let abis: AbiSources.AbiSources
let ask: Awaited<ReturnType<typeof serveEvm>>
beforeAll(async () => {
  files = createAbiFiles()
  const { chainId } = TEST_CHAIN
  files.write('full_match', chainId, hex(TOKEN), metadataOf('Token', abiOf(SWAP, PAID)))
  files.write('full_match', chainId, hex(PROXY), metadataOf('Proxy', abiOf('upgradeTo(address next)')))
  files.write('partial_match', chainId, hex(FIRST), metadataOf('First', abiOf('move(uint256 before)')))
  files.write('full_match', chainId, hex(SECOND), metadataOf('Second', abiOf('move(uint256 amount)')))
  const selectors = join(files.root, 'selectors.txt')
  writeFileSync(selectors, 'collate_propagate_storage(bytes16 data)\nevent Paid(address,string,uint256)\n')
  abis = await AbiSources.open({ folder: files.root, selectors, clock: systemClock, log: silentLogger })
  store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const facts: ContractFacts = {
    ...{ address: PROXY, kind: 'UNKNOWN', name: undefined, symbol: undefined, decimals: undefined },
    proxy: { kind: 'EIP-1967', implementation: FIRST, beacon: undefined },
  }
  const created = evmTransaction({ to: undefined, contractAddress: PROXY, hash: txHash(0, 0) })
  await writer.commit([{ block: evmBlock(0n, { transactions: [created] }), contracts: [facts] }])
  for (const [i, transactions] of BLOCKS.entries()) {
    const height = i + 1
    const block = evmBlock(BigInt(height), {
      transactions: transactions.map((one, index) =>
        evmTransaction({ ...one, index, hash: txHash(height, index) }),
      ),
    })
    await writer.commit([{ block, contracts: [] }])
  }
  const context = await evmContextOf([store])
  const chains = context.chains.map((source) => ({ ...source, abis }))
  ask = await serveEvm([], { ...context, chains, now: Date.now })
})
afterAll(() => {
  abis?.close()
  files?.remove()
})

const transaction = async (height: number, index: number, query = '?decode=true') => {
  const { status, json } = await ask(
    `/v1/chains/${TEST_CHAIN.chainId}/transactions/${hex(txHash(height, index))}${query}`,
  )
  expect(status).toBe(200)
  return json
}
const decodedCall = async (height: number, index: number) =>
  (await transaction(height, index)).nativeTransaction.decoded

describe('decode=true of a transaction', () => {
  test('decodes a call by the verified ABI of its contract', async () => {
    const { nativeTransaction, logs, hasMoreLogs } = await transaction(1, 0)
    expect(nativeTransaction.decoded).toEqual({
      signature: 'swap((address,uint256[])[],string,bytes32)',
      source: { kind: 'exact', contract: expect.stringMatching(/^0x09/), contractName: 'Token' },
      isGuess: false,
      parameters: [
        {
          name: 'steps',
          type: '(address token, uint256[] amounts)[]',
          value: [[expect.stringMatching(/^0x1[eE]1[eE]/), ['1', String(2n ** 255n)]]],
        },
        { name: 'note', type: 'string', value: NOTE },
        { name: 'salt', type: 'bytes32', value: hex(evmHash(1n)) },
      ],
    })
    expect(nativeTransaction.method.methodName).toBe('swap((address,uint256[])[],string,bytes32)')
    expect([logs, hasMoreLogs]).toEqual([[], false])
  })

  test('decodes calls of a proxy by the implementation in force', async () => {
    const [before, upgrade, after] = await Promise.all([0, 1, 2].map((index) => decodedCall(2, index)))
    expect(before).toMatchObject({
      parameters: [{ name: 'before', value: '1' }],
      source: { kind: 'partial', contractName: 'First', proxy: { kind: 'EIP-1967', basis: 'reading' } },
    })
    // The proxy answers its own functions itself.
    expect(upgrade).toMatchObject({
      signature: 'upgradeTo(address)',
      source: { kind: 'exact', contractName: 'Proxy' },
    })
    expect(upgrade.source).not.toHaveProperty('proxy')
    expect(after).toMatchObject({
      parameters: [{ name: 'amount', value: '2' }],
      source: {
        ...{ kind: 'exact', contractName: 'Second', contract: expect.stringMatching(/^0x16/) },
        proxy: { implementation: expect.stringMatching(/^0x16/), basis: 'event', blockNumber: '2' },
      },
    })
  })

  test('calls a signature that no verified ABI has a guess, and names the alternatives', async () => {
    expect(await decodedCall(3, 0)).toEqual({
      signature: 'burn(uint256)',
      source: { kind: 'standard' },
      isGuess: true,
      parameters: [{ name: 'value', type: 'uint256', value: String(7n << 128n) }],
      alternatives: ['collate_propagate_storage(bytes16)'],
    })
  })

  test.each([
    [
      1,
      {
        signature: 'swap((address,uint256[])[],string,bytes32)',
        isGuess: false,
        reason: 'parameter steps: the offset is beyond the end of the data',
      },
    ],
    [2, { reason: 'the input is shorter than a selector' }],
    [3, { reason: 'no known function has this selector' }],
    [4, { reason: '131073 bytes are more than the 131072 that are decoded' }],
    [5, undefined],
  ])('tells why it does not decode call %i', async (index, expected) => {
    const decoded = await decodedCall(3, index)
    if (expected === undefined) expect(decoded).toBeUndefined()
    else expect(decoded).toMatchObject(expected)
    expect(decoded ?? {}).not.toHaveProperty('parameters')
  })

  test('is off by default', async () => {
    const json = await transaction(1, 0, '')
    expect(json).not.toHaveProperty('logs')
    expect(json.nativeTransaction).not.toHaveProperty('decoded')
  })
})

describe('names from verified sources', () => {
  const chain = `/v1/chains/${TEST_CHAIN.chainId}`
  const get = async (path: string) => {
    const { status, json } = await ask(path)
    expect([path, status]).toEqual([path, 200])
    return json
  }

  test.each([
    [1, 0, 'Token', 'swap((address,uint256[])[],string,bytes32)'],
    [2, 0, 'First', 'move(uint256)'],
    [2, 1, 'First', 'upgradeTo(address)'],
    [2, 2, 'First', 'move(uint256)'],
    [3, 0, undefined, 'burn(uint256)'],
    [3, 3, 'Token', undefined],
  ])(
    'names the contract and the method of transaction %i.%i equally in its own answer and in lists',
    async (height, index, name, methodName) => {
      const hash = hex(txHash(height, index))
      const { nativeTransaction: own } = await transaction(height, index, '')
      expect([own.to.name, own.method.methodName]).toEqual([name, methodName])
      expect((await transaction(height, index)).nativeTransaction).toMatchObject(own)
      const lists = await Promise.all([
        get(`${chain}/transactions?pageSize=100`),
        get('/v1/transactions?pageSize=100'),
        get(`${chain}/blocks/${height}/transactions`),
        get(`${chain}/addresses/${own.to.address}/transactions:listNative?pageSize=100`),
        get(`${chain}/addresses/${own.from.address}/transactions?pageSize=100`),
      ])
      for (const { transactions } of lists) {
        const all = transactions.map((one: { nativeTransaction?: object }) => one.nativeTransaction ?? one)
        const listed = all.find((one: { txHash: string }) => one.txHash === hash)
        expect(own).toMatchObject(listed)
        expect([listed.to.name, listed.method.methodName]).toEqual([name, methodName])
      }
    },
  )

  test('names contracts equally in their own answer, in deployments and as recipients', async () => {
    const contract = await get(`${chain}/addresses/${hex(PROXY)}`)
    expect(contract).toMatchObject({ name: 'First' })
    const { deployerAddress } = contract.deploymentDetails
    const { contracts } = await get(`${chain}/contracts/${deployerAddress}/deployments`)
    expect(contracts).toEqual([contract])
  })

  test('reads files again that were verified after a list was answered', async () => {
    const address = hex(STRANGER)
    const list = async () => (await get(`${chain}/blocks/3/transactions`)).transactions[0]
    expect((await list()).to).not.toHaveProperty('name')
    files.write('full_match', TEST_CHAIN.chainId, address, metadataOf('Late', abiOf('burn(uint256 all)')))
    await until(async () => expect((await list()).to.name).toBe('Late'))
    rmSync(files.path('full_match', TEST_CHAIN.chainId, address))
    await until(async () => expect((await list()).to).not.toHaveProperty('name'))
  })
})

describe('decode=true of logs', () => {
  test('decodes events of standards, also between the upgrades of a proxy', async () => {
    const { logs } = await transaction(2, 1)
    expect(logs.map(({ decoded }: { decoded: unknown }) => decoded)).toEqual([
      { reason: 'no known event has this topic' },
      {
        signature: 'Upgraded(address)',
        source: { kind: 'standard' },
        isGuess: true,
        parameters: [{ name: 'implementation', type: 'address', value: expect.stringMatching(/^0x16/) }],
      },
      { reason: 'no known event has this topic' },
    ])
    const { json } = await ask(`/v1/chains/${TEST_CHAIN.chainId}/logs?decode=true`)
    expect(json.logs.map(({ decoded }: { decoded: unknown }) => decoded)).toEqual(
      logs.map(({ decoded }: { decoded: unknown }) => decoded).toReversed(),
    )
    const plain = await ask(`/v1/chains/${TEST_CHAIN.chainId}/logs`)
    expect(plain.json.logs[0]).not.toHaveProperty('decoded')
  })
})

test('the official client accepts decoded answers of recorded chains', async () => {
  const context = await evmContextOf([await recordedEvmStore('c')], { nativeBalance: async () => 1n })
  const endpoints = evmEndpoints(context).map((endpoint) =>
    'decode' in endpoint.queryParameters
      ? { ...endpoint, queryParameters: { ...endpoint.queryParameters, decode: Parameter.flag(true) } }
      : endpoint,
  )
  const server = await createEvm(endpoints)
  try {
    const sdk = client(await server.listen({ host: '127.0.0.1', port: 0 }))
    const pages = await sdk.data.evm.transactions.listLatest({ chainId: '43112', pageSize: 50 })
    let decoded = 0
    for await (const { result } of pages) {
      for (const { txHash: hash, method } of result.transactions) {
        await sdk.data.evm.transactions.get({ chainId: '43112', txHash: hash })
        const answer = await server.inject(`/v1/chains/43112/transactions/${hash}`)
        const { nativeTransaction, logs } = answer.json()
        expect(nativeTransaction.decoded === undefined).toBe(method?.callType !== 'CONTRACT_CALL')
        for (const one of logs) if (one.decoded.parameters !== undefined) decoded++
      }
      break
    }
    expect(decoded).toBeGreaterThan(0)
  } finally {
    await server.close()
  }
})
