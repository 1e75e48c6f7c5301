import { Hex } from '@firn/codec'
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, type Hex as HexText, parseAbi } from 'viem'
import type { Log } from '../Block.ts'

const EVENTS = parseAbi([
  'event Mint(address to, uint256 amount, address feeAddress, uint256 feeAmount, bytes32 originTxId, uint256 originOutputIndex)',
  'event Unwrap(uint256 amount, uint256 chainId)',
  'event MigrateBridgeRole(address newBridgeRoleAddress)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** The contract of BTC.b. */
const BTCB = Hex.decode('0x152b9d0fdc40c096757f570a51e494bd4b943e50')
const NOBODY = `0x${'00'.repeat(20)}` as const
const FEES = `0x${'fe'.repeat(20)}` as const

/** Returns a log of the contract, encoded by viem. */
function btcbLog(
  eventName: (typeof EVENTS)[number]['name'],
  args: Readonly<Record<string, unknown>>,
): Omit<Log, 'index'> {
  const event = EVENTS.find(({ name }) => name === eventName) as AbiEvent
  const topics = encodeEventTopics({ abi: [event], eventName, args } as never) as HexText[]
  const values = event.inputs.filter(({ indexed }) => indexed !== true)
  const data = encodeAbiParameters(
    values,
    values.map(({ name }) => args[name as string]),
  )
  return { address: BTCB, topics: topics.map(Hex.decode), data: Hex.decode(data) }
}

const transfer = (from: HexText, to: HexText, value: bigint) => btcbLog('Transfer', { from, to, value })

/** The logs of what the contract of BTC.b does, without their indexes. */
export const btcbLogs = {
  /** An amount is minted for the output of a Bitcoin transaction, or for none if `output` is 2^256 - 1. */
  minted: (to: HexText, amount: bigint, feeAmount = 0n, output = 0n) => [
    transfer(NOBODY, to, amount),
    ...(feeAmount === 0n ? [] : [transfer(NOBODY, FEES, feeAmount)]),
    btcbLog('Mint', {
      ...{ to, amount, feeAddress: FEES, feeAmount, originTxId: `0x${'b1'.repeat(32)}` },
      originOutputIndex: output,
    }),
  ],
  transferred: (from: HexText, to: HexText, amount: bigint) => [transfer(from, to, amount)],
  burned: (from: HexText, amount: bigint) => [transfer(from, NOBODY, amount)],
  /** An amount returns to Bitcoin. */
  unwrapped: (from: HexText, amount: bigint) => [
    transfer(from, NOBODY, amount),
    btcbLog('Unwrap', { amount, chainId: 0n }),
  ],
  /** The role of the minter is given to another address. */
  migrated: (to: HexText) => [btcbLog('MigrateBridgeRole', { newBridgeRoleAddress: to })],
}
