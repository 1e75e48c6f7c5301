import { Hex } from '@firn/codec'
import { Payload, WarpEvent } from '@firn/warp'
import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex as HexText,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import type { Log } from '../Block.ts'

/** The events of a TeleporterMessenger contract, for viem. */
export const MESSENGER_EVENTS = parseAbi([
  'struct Receipt { uint256 receivedMessageNonce; address relayerRewardAddress; }',
  'struct Message { uint256 messageNonce; address originSenderAddress; bytes32 destinationBlockchainID; address destinationAddress; uint256 requiredGasLimit; address[] allowedRelayerAddresses; Receipt[] receipts; bytes message; }',
  'struct Fee { address feeTokenAddress; uint256 amount; }',
  'event SendCrossChainMessage(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, Message message, Fee feeInfo)',
  'event AddFeeAmount(bytes32 indexed messageID, Fee updatedFeeInfo)',
  'event MessageExecutionFailed(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID, Message message)',
  'event MessageExecuted(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID)',
  'event ReceiveCrossChainMessage(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID, address indexed deliverer, address rewardRedeemer, Message message)',
  'event ReceiptReceived(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, address indexed relayerRewardAddress, Fee feeInfo)',
  'event RelayerRewardsRedeemed(address indexed redeemer, address indexed asset, uint256 amount)',
])
const MESSAGE = parseAbiParameters([
  '(uint256 messageNonce, address originSenderAddress, bytes32 destinationBlockchainID, address destinationAddress, uint256 requiredGasLimit, address[] allowedRelayerAddresses, Receipt[] receipts, bytes message)',
  'struct Receipt { uint256 receivedMessageNonce; address relayerRewardAddress; }',
])

/** A message with its route, in the form that viem encodes. */
export interface TestMessage {
  readonly messenger: HexText
  readonly source: HexText
  readonly destination: HexText
  readonly nonce: bigint
  readonly from: HexText
  readonly to: HexText
  readonly data?: HexText
  readonly receipts?: readonly (readonly [nonce: bigint, relayer: HexText])[]
  readonly fee?: readonly [token: HexText, amount: bigint]
}

const ZERO = `0x${'00'.repeat(20)}` as const

const tupleOf = ({ nonce, from, destination, to, receipts = [], data = '0x' }: TestMessage) => ({
  messageNonce: nonce,
  originSenderAddress: from,
  destinationBlockchainID: destination,
  destinationAddress: to,
  requiredGasLimit: 100_000n,
  allowedRelayerAddresses: [],
  receipts: receipts.map(([receivedMessageNonce, relayerRewardAddress]) => ({
    ...{ receivedMessageNonce, relayerRewardAddress },
  })),
  message: data,
})
const feeOf = ([feeTokenAddress, amount]: readonly [HexText, bigint] = [ZERO, 0n]) => ({
  feeTokenAddress,
  amount,
})

/** Returns the id of a message, computed by viem. */
export function icmId({ messenger, source, destination, nonce }: TestMessage): HexText {
  const parameters = parseAbiParameters('address, bytes32, bytes32, uint256')
  return keccak256(encodeAbiParameters(parameters, [messenger, source, destination, nonce]))
}

/** Returns a log of a messenger contract, encoded by viem. `args` has the values by their names in the ABI. */
export function messengerLog(
  messenger: HexText,
  eventName: (typeof MESSENGER_EVENTS)[number]['name'],
  args: Readonly<Record<string, unknown>>,
): Omit<Log, 'index'> {
  const event = MESSENGER_EVENTS.find(({ name }) => name === eventName) as AbiEvent
  const topics = encodeEventTopics({ abi: [event], eventName, args } as never) as HexText[]
  const values = event.inputs.filter(({ indexed }) => indexed !== true)
  const data = encodeAbiParameters(
    values,
    values.map(({ name }) => args[name as string]),
  )
  return { address: Hex.decode(messenger), topics: topics.map(Hex.decode), data: Hex.decode(data) }
}

/** Returns the log of the Warp precompile with which a contract sends a payload. */
export function warpLog(sender: HexText, source: HexText, payload: HexText): Omit<Log, 'index'> {
  const call = {
    type: 'AddressedCall',
    sourceAddress: Hex.decode(sender),
    payload: Hex.decode(payload),
  } as const
  const message = { networkID: 12_345, sourceChainID: Hex.decode(source), payload: Payload.encode(call) }
  return WarpEvent.encode(Hex.decode(sender), message)
}

/** The logs of each event of a message, encoded by viem. */
export const icmLogs = {
  /** A message is sent, for the first time or again. */
  sent: (one: TestMessage) => [
    messengerLog(one.messenger, 'SendCrossChainMessage', {
      messageID: icmId(one),
      destinationBlockchainID: one.destination,
      message: tupleOf(one),
      feeInfo: feeOf(one.fee),
    }),
    warpLog(one.messenger, one.source, encodeAbiParameters(MESSAGE, [tupleOf(one)])),
  ],
  received: (one: TestMessage, relayer: HexText, rewardRedeemer: HexText) => [
    messengerLog(one.messenger, 'ReceiveCrossChainMessage', {
      ...{ messageID: icmId(one), sourceBlockchainID: one.source, deliverer: relayer, rewardRedeemer },
      message: tupleOf(one),
    }),
  ],
  executed: (one: TestMessage) => [
    messengerLog(one.messenger, 'MessageExecuted', {
      messageID: icmId(one),
      sourceBlockchainID: one.source,
    }),
  ],
  failed: (one: TestMessage) => [
    messengerLog(one.messenger, 'MessageExecutionFailed', {
      ...{ messageID: icmId(one), sourceBlockchainID: one.source, message: tupleOf(one) },
    }),
  ],
  feeAdded: (one: TestMessage, fee: readonly [token: HexText, amount: bigint]) => [
    messengerLog(one.messenger, 'AddFeeAmount', { messageID: icmId(one), updatedFeeInfo: feeOf(fee) }),
  ],
  receipt: (one: TestMessage, relayer: HexText, fee: readonly [token: HexText, amount: bigint]) => [
    messengerLog(one.messenger, 'ReceiptReceived', {
      ...{ messageID: icmId(one), destinationBlockchainID: one.destination, relayerRewardAddress: relayer },
      feeInfo: feeOf(fee),
    }),
  ],
  redeemed: (one: TestMessage, relayer: HexText, asset: HexText, amount: bigint) => [
    messengerLog(one.messenger, 'RelayerRewardsRedeemed', { redeemer: relayer, asset, amount }),
  ],
}
