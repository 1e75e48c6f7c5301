import { Address, Hex, Id, isJsonObject, Json, NodeId } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import { Type } from '@firn/options'
import type { BytesInput, OwnersInput, Receiver, SignerInput } from '@firn/wallet'
import * as Input from '../../Input.ts'
import * as Avax from './Avax.ts'

/** Returns the type of a text that `check` accepts. `check` throws for other texts. */
const checked = (placeholder: string, expected: string, check: (text: string) => unknown) =>
  Type.create({
    placeholder,
    expected,
    parse: (text) => {
      try {
        check(text)
        return text
      } catch {
        return undefined
      }
    },
  })

/** Type of an id of 32 bytes in cb58. */
export const ID = checked('id', 'an id in cb58', (text) => Id.assertLength(Id.parse(text), 32))

/** Type of a NodeID. */
export const NODE_ID = checked('NodeID', 'a NodeID such as NodeID-7Xhw2mDx…', NodeId.parse)

/** Type of an address of an EVM chain. */
export const EVM_ADDRESS = checked('0x…', 'an EVM address of 20 bytes in hex', EvmAddress.parse)

const SECONDS = { s: 1n, m: 60n, h: 3_600n, d: 86_400n } as const

/** Parses a duration, and returns it in seconds. */
const seconds = (text: string): bigint | undefined => {
  const [, count, unit = ''] = /^(\d{1,12})([smhd]?)$/.exec(text) ?? []
  return count === undefined ? undefined : BigInt(count) * SECONDS[(unit || 's') as keyof typeof SECONDS]
}

/** Type of a time in Unix seconds, given as a number, in ISO 8601, or from now. */
export const MOMENT: Type.Type<bigint> = Type.create({
  placeholder: 'time',
  expected: 'Unix seconds, a time such as 2027-01-31T00:00:00Z, or +15d for 15 days from now',
  parse: (text) => {
    if (/^\d{1,15}$/.test(text)) return BigInt(text)
    if (text.startsWith('+')) {
      const ahead = seconds(text.slice(1))
      return ahead === undefined ? undefined : BigInt(Math.floor(Date.now() / 1_000)) + ahead
    }
    const time = Date.parse(text)
    return Number.isFinite(time) ? BigInt(Math.floor(time / 1000)) : undefined
  },
})

/** Type of a period in seconds, with a unit or without one. */
export const PERIOD: Type.Type<bigint> = Type.create({
  placeholder: 'duration',
  expected: 'a duration such as 14d, 36h or 3600 (seconds)',
  parse: seconds,
})

/** Type of an amount of AVAX, converted to nAVAX. */
export const AVAX: Type.Type<bigint> = Type.create({
  placeholder: 'AVAX',
  expected: 'an amount of AVAX such as 1.5',
  parse: Avax.parse,
})

/** Type of a percentage, converted to millionths. */
export const PERCENT: Type.Type<number> = Type.create({
  placeholder: 'percent',
  expected: 'a percentage from 0 to 100 with at most four decimal places, such as 2.5',
  parse: (text) => {
    const millionths = /^\d{1,3}(\.\d{1,4})?%?$/.test(text)
      ? Math.round(Number.parseFloat(text) * 10_000)
      : -1
    return millionths >= 0 && millionths <= 1_000_000 ? millionths : undefined
  },
})

/** Type of a number of units of an asset, or of a weight. */
export const UNITS: Type.Type<bigint> = Type.big

const address = (text: string): string => {
  Address.parse(text.includes('-') ? text : `P-${text}`)
  return text
}

const receiver = (text: string): Receiver => {
  const [, threshold, addresses] = /^(\d{1,3}):(.+)$/.exec(text) ?? []
  if (threshold === undefined || addresses === undefined) return address(text)
  return { threshold: Number(threshold), addresses: addresses.split('+').map(address) } satisfies OwnersInput
}

/** Type of an address, or of several owners: `2:P-avax1…+P-avax1…+P-avax1…` if any two of three must sign. */
export const RECEIVER: Type.Type<Receiver> = Type.create({
  placeholder: 'owners',
  expected: 'an address such as P-avax1…, or several owners such as 2:P-avax1…+P-avax1…',
  parse: (text) => {
    try {
      return receiver(text)
    } catch {
      return undefined
    }
  },
  format: (value) => (typeof value === 'string' ? value : `${value.threshold}:${value.addresses.join('+')}`),
})

/** An amount as it is written, because its unit depends on the asset, and its receiver. */
export interface PaymentText {
  readonly to: Receiver
  readonly amount: string
}

/** Type of a payment: owners and an amount. */
export const PAYMENT: Type.Type<PaymentText> = Type.create({
  placeholder: 'owners=amount',
  expected: 'a payment such as P-avax1…=1.5',
  parse: (text) => {
    const [owners = '', amount = '', ...rest] = text.split('=')
    const to = RECEIVER.parse(owners)
    return to === undefined || amount === '' || rest.length > 0 ? undefined : { to, amount }
  },
  format: ({ to, amount }) => `${RECEIVER.format(to)}=${amount}`,
})

/** Type of a holding: owners and an amount in units of an asset. */
export const HOLDING: Type.Type<{ readonly to: Receiver; readonly amount: bigint }> = Type.create({
  placeholder: 'owners=units',
  expected: 'a holding such as X-avax1…=1000',
  parse: (text) => {
    const payment = PAYMENT.parse(text)
    const amount = UNITS.parse(payment?.amount ?? '')
    return payment === undefined || amount === undefined ? undefined : { to: payment.to, amount }
  },
  format: ({ to, amount }) => `${RECEIVER.format(to)}=${amount}`,
})

/** Type of bytes: hex, or the name of a file with hex. */
export const BYTES: Type.Type<BytesInput> = Type.create<BytesInput>({
  placeholder: 'hex',
  expected: 'hex, or the name of a file with hex',
  parse: (text) => Hex.decodeAny(Input.text(text)),
})

/** Type of the content of a file, or of bytes in hex with 0x. */
export const CONTENT: Type.Type<BytesInput> = Type.create<BytesInput>({
  placeholder: 'file',
  expected: 'the name of a file, or hex with 0x',
  parse: (text) =>
    /^0x([0-9a-fA-F]{2})*$/.test(text) ? Hex.decodeAny(text) : new TextEncoder().encode(Input.file(text)),
})

/** Type of a signed Warp message: hex, the response of an aggregator, or the name of a file with either. */
export const MESSAGE: Type.Type<BytesInput> = Type.create<BytesInput>({
  placeholder: 'message',
  expected: 'a signed Warp message in hex, the response of an aggregator, or the name of a file with either',
  parse: Input.signedMessage,
})

type Members = Readonly<Record<string, Json.Json | undefined>>

/** Returns the BLS key in the response of `info.getNodeID`, in its member `nodePOP`, or as plain members. */
const signerOf = (json: Json.Json): SignerInput | undefined => {
  if (!isJsonObject(json)) return undefined
  const inner = json['result'] ?? json['nodePOP'] ?? json['signer']
  if (inner !== undefined) return signerOf(inner)
  const { publicKey, proofOfPossession } = json
  if (typeof publicKey !== 'string' || typeof proofOfPossession !== 'string') return undefined
  return { publicKey, proofOfPossession }
}

/** Type of a node's BLS key with its proof of possession. */
export const SIGNER: Type.Type<SignerInput> = Type.create({
  placeholder: 'json',
  expected: 'the response of info.getNodeID, or a file with it',
  parse: (text) => signerOf(Json.parse(Input.text(text))),
})

/** Type of the proof of possession of a node's BLS key, as hex or as the response of `info.getNodeID`. */
export const PROOF: Type.Type<BytesInput> = Type.create<BytesInput>({
  placeholder: 'hex',
  expected: 'a proof of possession in hex, the response of info.getNodeID, or a file with either',
  parse: (text) => {
    const content = Input.text(text)
    return content.startsWith('{') ? signerOf(Json.parse(content))?.proofOfPossession : Hex.decodeAny(content)
  },
})

/** Returns a member as owners, if it is given. */
const ownersAt = (json: Members, name: string): { readonly [member: string]: Receiver } | undefined => {
  const given = json[name]
  if (given === undefined) return {}
  const owners = typeof given === 'string' ? RECEIVER.parse(given) : undefined
  return owners === undefined ? undefined : { [name]: owners }
}

const validatorOf = (json: Json.Json) => {
  if (!isJsonObject(json)) return undefined
  const nodeId = NODE_ID.parse(String(json['nodeId'] ?? json['nodeID']))
  const weight = UNITS.parse(String(json['weight']))
  const balance = AVAX.parse(String(json['balance']))
  const signer = signerOf(json)
  const remaining = ownersAt(json, 'remainingBalanceTo')
  const deactivated = ownersAt(json, 'deactivatedBy')
  if (nodeId === undefined || weight === undefined || balance === undefined || signer === undefined)
    return undefined
  if (remaining === undefined || deactivated === undefined) return undefined
  return { nodeId, weight, balance, signer, ...remaining, ...deactivated }
}

type Validators = readonly NonNullable<ReturnType<typeof validatorOf>>[]

/** Type of the first validators of an L1. */
export const VALIDATORS: Type.Type<Validators> = Type.create<Validators>({
  placeholder: 'json',
  expected:
    'a JSON list, or a file with it, of validators with nodeID, weight, balance (AVAX) and nodePOP, and optionally remainingBalanceTo and deactivatedBy',
  parse: (text) => {
    const json = Json.parse(Input.text(text))
    const all = Array.isArray(json) ? json.map(validatorOf) : [undefined]
    return all.includes(undefined) ? undefined : (all as Validators)
  },
})
