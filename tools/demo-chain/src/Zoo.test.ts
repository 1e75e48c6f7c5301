import type { Hex } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { call } from './internal/call.ts'
import { type LocalEvm, startLocalEvm } from './LocalEvm.ts'
import { createZoo, readBalances, type Zoo } from './Zoo.ts'

const GENESIS = 1_700_000_000

const started: LocalEvm[] = []

afterAll(() => Promise.all(started.map((evm) => evm.close())))

/** Starts an EVM with a zoo that has been used for a while. */
async function createUsedZoo(blocks: number): Promise<{ url: string; zoo: Zoo; height: bigint; hash: Hex }> {
  const options = { chainId: 4_244, genesisTime: GENESIS, hardfork: 'paris' }
  const evm = await startLocalEvm({ ...options, signal: new AbortController().signal })
  started.push(evm)
  const { url } = evm
  const zoo = await createZoo({ url, random: generator(7), time: GENESIS + 1 })
  for (let i = 0; i < blocks; i++) await zoo.block()
  await zoo.reorg(3)
  const { number, hash } = await call<{ number: Hex; hash: Hex }>(url, 'eth_getBlockByNumber', [
    'latest',
    false,
  ])
  return { url, zoo, height: BigInt(number), hash }
}

it('creates the same blocks from the same random numbers', async () => {
  expect((await createUsedZoo(5)).hash).toBe((await createUsedZoo(5)).hash)
})

it('has tokens whose logs add up to their balances, and tokens whose logs do not', async () => {
  const { url, zoo, height } = await createUsedZoo(50)
  const readable = zoo.balances.filter(({ token }) => token.basis !== 'unreadable')
  const differing = new Set<string>()
  const idsAsValues = new Set(zoo.tokens.filter((one) => one.hasIdsAsValues).map(({ address }) => address))
  for (const at of [height - 1n, height]) {
    const range = { fromBlock: '0x0', toBlock: `0x${at.toString(16)}` }
    const sums = addUp(await call<Log[]>(url, 'eth_getLogs', [range]), idsAsValues)
    const balances = await readBalances(url, readable, at)
    readable.forEach(({ token, tokenId, account }, i) => {
      const sum = sums.get(`${token.address} ${tokenId} ${account}`) ?? 0n
      if (sum !== balances[i]) differing.add(token.name)
    })
  }
  const expected = zoo.tokens.filter(({ basis }) => basis === 'chain').map(({ name }) => name)
  expect([...differing].sort()).toEqual(expected.sort())
  const unreadable = zoo.balances.filter(
    ({ token, account }) => token.basis === 'unreadable' && account === zoo.balances[0]?.account,
  )
  expect(unreadable).toHaveLength(6)
  expect(await readBalances(url, unreadable, height)).toEqual(unreadable.map(() => undefined))
})

/** Returns a generator of numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  }
}

interface Log {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** Start of the topic of each transfer event. */
const TRANSFER = '0xddf252ad'
const SINGLE = '0xc3d58168'
const BATCH = '0x4a39dc06'
const CONSECUTIVE = '0xdeaa91b6'

/**
 * Returns the sums of the transfer logs, in whichever fields are indexed, by token, token id and account. Values in the logs
 * of tokens in `idsAsValues` are ids.
 */
function addUp(logs: readonly Log[], idsAsValues: ReadonlySet<Hex>): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { address, topics, data } of logs) {
    const words =
      `${topics
        .slice(1)
        .map((topic) => topic.slice(2))
        .join('')}${data.slice(2)}`.match(/.{64}/g) ?? []
    const number = (i: number) => BigInt(`0x${words[i]}`)
    const move = (from: number, to: number, tokenId: bigint, amount: bigint) => {
      for (const [place, sign] of [
        [from, -1n],
        [to, 1n],
      ] as const) {
        const key = `${address} ${tokenId} 0x${words[place]?.slice(24)}`
        sums.set(key, (sums.get(key) ?? 0n) + sign * amount)
      }
    }
    const event = topics[0]?.slice(0, 10)
    if (event === TRANSFER) move(0, 1, 0n, topics.length === 4 || idsAsValues.has(address) ? 1n : number(2))
    else if (event === CONSECUTIVE) move(1, 2, 0n, number(3) - number(0) + 1n)
    else if (event === SINGLE) move(1, 2, number(3), number(4))
    else if (event === BATCH) for (const i of [6, 7]) move(1, 2, number(i), number(i + 3))
  }
  return sums
}
