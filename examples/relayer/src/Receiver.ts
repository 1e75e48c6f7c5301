import { Hex } from '@firn/codec'
import {
  type Abi,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex as HexText,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from 'viem'

/** A call of a contract. */
export interface ContractCall {
  readonly abi: Abi
  readonly functionName: string
  readonly args: readonly unknown[]
}

/** How a message is delivered to a contract. */
export interface Delivery {
  /** Blockchain id of the destination. */
  readonly destination: HexText
  /** What the log tells about the message. */
  readonly about: Readonly<Record<string, unknown>>
  /** Returns whether the destination has received the message. */
  readonly isReceived: ContractCall
  /** Receives the message in the predicate of the transaction. */
  readonly receive: ContractCall
}

/** A contract that sends messages on the source chain and receives them, at the same address, on the destination. */
export interface Receiver {
  readonly address: HexText
  /** Returns how the message with a payload is delivered. `source` is the blockchain id of the source chain. */
  readonly deliveryOf: (payload: Uint8Array, source: HexText) => Delivery
}

const MAILBOX_ABI = parseAbi([
  'function receiveText(uint32 index)',
  'function received(bytes32 sourceChainID, uint256 number) view returns (bool)',
])
const MAILBOX_PAYLOAD = parseAbiParameters('uint256 number, bytes32 destinationChain, string text')

/** The mailbox of the local network. */
export function mailbox(address: HexText): Receiver {
  return {
    address,
    deliveryOf: (payload, source) => {
      const [number, destination, text] = decodeAbiParameters(MAILBOX_PAYLOAD, Hex.encode(payload))
      return {
        destination,
        about: { sourceChain: source, number, text },
        isReceived: { abi: MAILBOX_ABI, functionName: 'received', args: [source, number] },
        receive: { abi: MAILBOX_ABI, functionName: 'receiveText', args: [0] },
      }
    },
  }
}

const MESSENGER_ABI = parseAbi([
  'function receiveCrossChainMessage(uint32 messageIndex, address relayerRewardAddress)',
  'function messageReceived(bytes32 messageID) view returns (bool)',
])
const MESSENGER_PAYLOAD = parseAbiParameters([
  '(uint256 nonce, address sender, bytes32 destination, address recipient, uint256 gasLimit, address[] relayers, Receipt[] receipts, bytes data)',
  'struct Receipt { uint256 nonce; address relayer; }',
])
const MESSENGER_ID = parseAbiParameters(
  'address messenger, bytes32 source, bytes32 destination, uint256 nonce',
)

/** A TeleporterMessenger contract. `rewardAddress` may redeem the fees of the delivered messages on the source chain. */
export function messenger(address: HexText, rewardAddress: HexText): Receiver {
  return {
    address,
    deliveryOf: (payload, source) => {
      const [{ nonce, destination }] = decodeAbiParameters(MESSENGER_PAYLOAD, Hex.encode(payload))
      const id = keccak256(encodeAbiParameters(MESSENGER_ID, [address, source, destination, nonce]))
      return {
        destination,
        about: { sourceChain: source, number: nonce, messageId: id },
        isReceived: { abi: MESSENGER_ABI, functionName: 'messageReceived', args: [id] },
        receive: { abi: MESSENGER_ABI, functionName: 'receiveCrossChainMessage', args: [0, rewardAddress] },
      }
    },
  }
}
