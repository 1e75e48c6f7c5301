import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { CREATION_CODE } from './creationCode.ts'
import { call } from './internal/call.ts'

/** Addresses of the demo contracts. */
export interface DemoContracts {
  readonly token: Hex
  readonly collectible: Hex
  readonly items: Hex
  readonly factory: Hex
}

/** A chain with the demo contracts, on which traffic can be generated. */
export interface Demo {
  readonly contracts: DemoContracts
  /** Accounts that take part in the traffic. */
  readonly accounts: readonly Hex[]
  /** Mines one block of traffic. `time` is the block's time in Unix seconds; by default the EVM sets it. */
  readonly block: (time?: number) => Promise<void>
}

const ABI = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function create(uint256 number) payable',
])
const ITEMS_ABI = parseAbi([
  'function mint(address to, uint256 id, uint256 value)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
])
const UNIT = 10n ** 18n
const GAS = '0x1e8480'

/** Deploys the demo contracts in a first block. `time` is the block's time in Unix seconds. */
export async function createDemo(url: string, time?: number): Promise<Demo> {
  const accounts = await call<Hex[]>(url, 'eth_accounts', [])
  const account = (index: number) => accounts[index % accounts.length] as Hex
  const send = (from: number, to: Hex | undefined, data: Hex, value = 0n) =>
    call<Hex>(url, 'eth_sendTransaction', [
      { from: account(from), data, gas: GAS, value: `0x${value.toString(16)}`, ...(to && { to }) },
    ])
  const mine = async (at: number | undefined) => {
    if (at !== undefined) await call(url, 'evm_setNextBlockTimestamp', [at])
    await call(url, 'evm_mine', [])
  }
  const names = encodeAbiParameters(
    [{ type: 'string' }, { type: 'string' }, { type: 'uint8' }],
    ['Demo Token', 'DEMO', 18],
  )
  const sent = [
    await send(0, undefined, `${CREATION_CODE.Token}${names.slice(2)}`),
    await send(0, undefined, CREATION_CODE.Collectible),
    await send(1, undefined, CREATION_CODE.Items),
    await send(1, undefined, CREATION_CODE.Factory),
  ]
  await mine(time)
  const [token, collectible, items, factory] = await Promise.all(sent.map((hash) => created(url, hash)))
  const contracts = { token, collectible, items, factory } as DemoContracts
  let round = 0
  return {
    contracts,
    accounts,
    block: async (at) => {
      for (const [from, to, data, value] of traffic(contracts, account, round)) {
        await send(from, to, data, value)
      }
      round++
      await mine(at)
    },
  }
}

async function created(url: string, hash: Hex): Promise<Hex> {
  return (await call<{ contractAddress: Hex }>(url, 'eth_getTransactionReceipt', [hash])).contractAddress
}

type Sending = readonly [from: number, to: Hex, data: Hex, value?: bigint]

/**
 * Yields the transactions of one traffic block: payments, transfers of each token standard, contract
 * creations, and sometimes a failing call.
 */
function* traffic(
  { token, collectible, items, factory }: DemoContracts,
  account: (index: number) => Hex,
  round: number,
): Iterable<Sending> {
  const [one, other] = [round % 5, (round + 1) % 5]
  const tokenId = BigInt(round)
  yield [one, account(other), '0x', UNIT / 100n]
  const mint = { abi: ABI, functionName: 'mint' } as const
  yield [one, token, encodeFunctionData({ ...mint, args: [account(one), 100n * UNIT] })]
  yield [one, token, encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [account(other), UNIT] })]
  yield [one, collectible, encodeFunctionData({ ...mint, args: [account(one), tokenId] })]
  if (round % 2 === 1) {
    const args = [account(one), account(other), tokenId] as const
    yield [one, collectible, encodeFunctionData({ abi: ABI, functionName: 'transferFrom', args })]
  }
  const item = { abi: ITEMS_ABI, functionName: 'mint' } as const
  yield [one, items, encodeFunctionData({ ...item, args: [account(one), tokenId % 7n, 10n] })]
  yield [one, items, encodeFunctionData({ ...item, args: [account(one), 7n, 10n] })]
  const batch = [account(one), account(other), [tokenId % 7n, 7n], [1n, 2n], '0x'] as const
  const functionName = 'safeBatchTransferFrom'
  yield [one, items, encodeFunctionData({ abi: ITEMS_ABI, functionName, args: batch })]
  if (round % 4 === 0) {
    yield [one, factory, encodeFunctionData({ abi: ABI, functionName: 'create', args: [tokenId] }), 1n]
  }
  if (round % 3 === 0) {
    // The amount exceeds every balance, so the transfer fails.
    const args = [account(other), 2n ** 200n] as const
    yield [one, token, encodeFunctionData({ abi: ABI, functionName: 'transfer', args })]
  }
}
