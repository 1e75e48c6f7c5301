import { Hex } from '@firn/codec'
import { type AbiDecoder, EventAbi, EventDecoder } from '@firn/evm'
import type { EvmProxies } from '@firn/evm-store'
import { typeText } from '../../decoding/SelectorFile.ts'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addressText } from '../chain/addressText.ts'

const DecodedParameter = Schema.object('DecodedParameter', 'A parameter of a decoded call or log', {
  name: Schema.text('Name of the parameter; empty if it is not known', 'value'),
  type: Schema.text('Type as in Solidity, with the names of the members of tuples', 'uint256'),
  value: Schema.any(
    'Value: integers as decimal text, bytes and addresses as 0x text, arrays and tuples as arrays. Bytes of a string that are not UTF-8 are replaced by U+FFFD.',
    '1500000',
  ),
  isHash: Schema.optional(
    Schema.flag(
      'Present if the value is a hash, because the parameter is indexed and has a variable size',
      true,
    ),
  ),
})

const DecodingProxy = Schema.object(
  'DecodingProxy',
  'The implementation of a proxy at the position of the call or log',
  {
    kind: Schema.text('Kind of proxy, as in the contract', 'EIP-1967'),
    implementation: Field.evmAddress('Contract whose code the proxy ran'),
    basis: Schema.choice(
      ['code', 'event', 'reading'],
      '`code`: the code of a clone contains the implementation; `event`: the last `Upgraded` event before the position names it; `reading`: it was read from the storage of the proxy',
      'event',
    ),
    blockNumber: Schema.optional(Field.height('Block of the event or the reading')),
  },
)

const DecodingSource = Schema.object('DecodingSource', 'Where the signature is from', {
  kind: Schema.choice(
    ['exact', 'partial', 'selectors', 'standard'],
    '`exact`: ABI of the contract, whose source was verified with its metadata; `partial`: the same without the metadata; `selectors`: guess from a list of signatures of the operator; `standard`: guess from the signatures of common standards',
    'exact',
  ),
  contract: Schema.optional(Field.evmAddress('Contract whose ABI was used')),
  contractName: Schema.optional(Schema.text('Name of this contract in its source', 'Token')),
  proxy: Schema.optional(
    Schema.as(DecodingProxy, 'Present if the ABI belongs to the implementation of a proxy'),
  ),
})

/** A decoded call or log, or the reason why it is not decoded. */
export const Decoded = Schema.object(
  'Decoded',
  'A decoded call or log. It has `parameters`, or else a `reason` why it is not decoded.',
  {
    signature: Schema.optional(
      Schema.text('Signature of the function or event', 'transfer(address,uint256)'),
    ),
    parameters: Schema.optional(Schema.list(DecodedParameter, 'Parameters in order')),
    extraBytes: Schema.optional(
      Schema.integer('Number of bytes after the arguments; absent if there are none', 32),
    ),
    source: Schema.optional(Schema.as(DecodingSource, 'Where the signature is from')),
    isGuess: Schema.optional(
      Schema.flag(
        'Whether the signature is only a guess by the first four bytes or the first topic, because no verified ABI has it',
        false,
      ),
    ),
    alternatives: Schema.optional(
      Schema.list(
        Schema.text('Signature', 'many_msg_babbage(bytes1)'),
        'Other known signatures that fit as well; absent if there are none',
      ),
    ),
    reason: Schema.optional(
      Schema.text('Why the call or log is not decoded', 'no known function has this selector'),
    ),
  },
  ['extraBytes', 'alternatives', 'reason'],
)

/** A decoded call or log in the Data API's format. */
export type DecodedBody = Readonly<Record<string, Body | undefined>> & {
  readonly signature?: string
  readonly isGuess?: boolean
}

/** Where a signature is from. */
export type Source =
  | { readonly kind: 'selectors' | 'standard' }
  | {
      readonly kind: 'exact' | 'partial'
      readonly contract: Uint8Array
      readonly contractName: string | undefined
      readonly proxy: EvmProxies.ProxyTarget | undefined
    }

/** Returns where a signature is from, in the Data API's format. */
export function sourceBody(source: Source): Body {
  if (!('contract' in source)) return { kind: source.kind }
  const { kind, contract, contractName, proxy } = source
  return {
    kind,
    contract: addressText(contract),
    contractName,
    proxy: proxy && {
      kind: proxy.kind,
      implementation: addressText(proxy.implementation),
      basis: proxy.basis,
      blockNumber: proxy.height?.toString(),
    },
  }
}

/** Returns decoded parameters in the Data API's format. */
export function parametersBody(
  inputs: readonly (EventAbi.Parameter & { readonly indexed?: boolean })[],
  values: readonly AbiDecoder.Value[],
): Body[] {
  return inputs.map((input, i) => {
    const isHash = input.indexed === true && EventDecoder.isHashed(input)
    const value = values[i] as AbiDecoder.Value
    return {
      name: input.name,
      type: typeText(input),
      value: isHash ? Hex.encode(value as Uint8Array) : argument(input, value),
      isHash: isHash || undefined,
    }
  })
}

/** Returns a value as JSON. In arrays and tuples, integers and bytes may be text already. */
export function argument(parameter: EventAbi.Parameter, value: unknown): Body {
  const { type, components = [] } = parameter
  const array = EventAbi.arrayOf(type)
  if (array !== undefined) {
    return (value as readonly unknown[]).map((one) => argument({ ...parameter, type: array.type }, one))
  }
  if (type === 'tuple') {
    return components.map((member, i) => argument(member, (value as readonly unknown[])[i]))
  }
  if (type === 'address') {
    return addressText(typeof value === 'string' ? Hex.decode(value) : (value as Uint8Array))
  }
  if (value instanceof Uint8Array) return Hex.encode(value)
  return typeof value === 'bigint' ? String(value) : (value as boolean | string)
}
