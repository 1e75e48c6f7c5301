import { Address, Hex, Id, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Command, group, option, type Terminal, Type } from '@firn/options'
import type { Receiver } from '@firn/wallet'
import { L1Message, Payload, UnsignedMessage, ValidationId } from '@firn/warp'
import { CliError } from '../CliError.ts'
import * as Fields from './tx/Fields.ts'

const SOURCE = group('Source', {
  sourceChain: option(Fields.ID, {
    isRequired: true,
    help: 'Id of the blockchain of the contract that manages the validators.',
  }),
  sourceAddress: option(Fields.EVM_ADDRESS, { isRequired: true, help: 'Address of this contract.' }),
  network: option(Type.network, {
    isRequired: true,
    aliases: ['networkId'],
    help: 'mainnet, fuji, local, network-<id> or an id.',
  }),
})

/** Prints the payload that the contract sends, and the unsigned message that its chain's validators then sign. */
const print = (
  message: L1Message.L1Message,
  validationId: Uint8Array,
  source: { readonly sourceChain: string; readonly sourceAddress: string; readonly network: number },
  terminal: Terminal,
): void => {
  const payload = L1Message.encode(message)
  const call = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: Hex.decodeAny(source.sourceAddress),
    payload,
  })
  const sourceChainId = Id.parse(source.sourceChain)
  const unsigned = { networkID: source.network, sourceChainID: sourceChainId, payload: call }
  terminal.print(`payload ${Hex.encode(payload)}`)
  terminal.print(`message ${Hex.encode(UnsignedMessage.encode(unsigned))}`)
  terminal.print(`validationId ${Id.format(validationId)}`)
}

/** Returns an owner in the form of messages, whose addresses are sorted. */
const ownerOf = (given: Receiver, network: number): L1Message.Owner => {
  const { hrp, name } = Networks.of(network)
  const { threshold, addresses } = typeof given === 'string' ? { threshold: 1, addresses: [given] } : given
  const payloads = addresses.map((text) => {
    const address = Address.parse(text.includes('-') ? text : `P-${text}`)
    if (address.hrp === hrp) return address.payload
    throw new CliError('CLI_USAGE', `expected an address of ${name} (${hrp}1…), got ${text}`)
  })
  const sorted = payloads.toSorted((a, b) => (Hex.encode(a) < Hex.encode(b) ? -1 : 1))
  return { threshold, addresses: sorted }
}

/** Default time in seconds for which a registration is valid. The P-chain allows at most one day. */
const VALID = 23n * 3_600n
/** Seconds by which the P-chain's time may be before the expiry of a registration. Source: avalanchego. */
const LONGEST = 24n * 3_600n

/** @throws CliError `CLI_USAGE` if the P-chain would refuse a registration that expires then */
const assertExpiry = (expiry: bigint, now: bigint): void => {
  const time = new Date(Number(expiry) * 1_000)
  const name = Number.isNaN(time.getTime()) ? `second ${expiry}` : time.toISOString()
  if (expiry <= now) throw new CliError('CLI_USAGE', `--expiry: ${name} is in the past`)
  if (expiry > now + LONGEST)
    throw new CliError(
      'CLI_USAGE',
      `--expiry: ${name} is too late, because the P-chain accepts at most 24 hours ahead; pass +24h or less`,
    )
}

export const REGISTER = Command.create({
  description:
    'Prints the Warp message that registers an L1 validator: the payload that the managing contract sends, and the unsigned message to pass to firn aggregate.',
  example:
    '--subnet-id 2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ --node-id NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg --signer node.json --weight 20 --owner P-fuji1… --network fuji --source-chain yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp --source-address 0x0feedc0de0000000000000000000000000000000',
  options: {
    ...group('Validator', {
      subnetId: option(Fields.ID, { isRequired: true, help: 'Id of the subnet.' }),
      nodeId: option(Fields.NODE_ID, { isRequired: true, help: 'NodeID of the validator.' }),
      signer: option(Fields.SIGNER, {
        isRequired: true,
        help: "The node's BLS key: the response of info.getNodeID, or a file with it.",
      }),
      weight: option(Fields.UNITS, { isRequired: true, help: 'Weight of the validator.' }),
      owner: option(Fields.RECEIVER, {
        isRequired: true,
        help: 'Owners who may deactivate the validator, and who receive its remaining balance.',
      }),
      expiry: option(Fields.MOMENT, {
        defaultText: 'in 23 hours',
        help: 'Time before which the P-chain must accept the message, at most 24 hours ahead.',
      }),
    }),
    ...SOURCE,
  },
  run: async (options, { terminal }) => {
    const { subnetId, nodeId, signer, weight, owner, network, expiry } = options
    const owners = ownerOf(owner, network)
    const now = BigInt(Math.floor(Date.now() / 1_000))
    if (expiry !== undefined) assertExpiry(expiry, now)
    const { publicKey } = signer
    const message = {
      type: 'RegisterL1Validator',
      subnetID: Id.parse(subnetId),
      nodeID: NodeId.parse(nodeId),
      blsPublicKey: typeof publicKey === 'string' ? Hex.decode(publicKey) : publicKey,
      expiry: expiry ?? now + VALID,
      remainingBalanceOwner: owners,
      disableOwner: owners,
      weight,
    } as const
    print(message, ValidationId.registered(message), options, terminal)
  },
})

export const WEIGHT = Command.create({
  description:
    'Prints the Warp message that sets the weight of an L1 validator, or removes it with weight 0: the payload that the managing contract sends, and the unsigned message to pass to firn aggregate.',
  example:
    '--validation-id 2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ --nonce 1 --weight 30 --network fuji --source-chain yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp --source-address 0x0feedc0de0000000000000000000000000000000',
  options: {
    ...group('Validator', {
      validationId: option(Fields.ID, { isRequired: true, help: 'Id of the validation (validationID).' }),
      nonce: option(Type.big, {
        isRequired: true,
        help: 'Number of the change; larger than the numbers of earlier changes.',
      }),
      weight: option(Fields.UNITS, { isRequired: true, help: 'New weight; 0 removes the validator.' }),
    }),
    ...SOURCE,
  },
  run: async (options, { terminal }) => {
    const validationId = Id.parse(options.validationId)
    const { nonce, weight } = options
    print(
      { type: 'L1ValidatorWeight', validationID: validationId, nonce, weight },
      validationId,
      options,
      terminal,
    )
  },
})
