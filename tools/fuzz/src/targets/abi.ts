import { Hex } from '@firn/codec'
import { AbiDecoder, AbiSignature, ContractAbi, EventAbi } from '@firn/evm'
import { ofBytes, ofText, type Target } from '../Target.ts'

const SIGNATURES = [
  'f(uint256 a, address b, bool c, bytes4 d, int16 e)',
  'f((address token, uint256[] amounts)[] steps, string note, bytes data)',
  'f(bytes[] a, string[2][] b, (uint8 x, (bytes y)[3] z)[] c)',
]
const PARAMETERS = SIGNATURES.map((text) => AbiSignature.parse(text).abi.inputs)

const word = (value: number) => value.toString(16).padStart(64, '0')
const words = (...values: number[]) => Hex.decodeBare(values.map(word).join(''))

/** Returns the number of words and bytes in a value, without the lists around them. */
function sizeOf(value: AbiDecoder.Value): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + sizeOf(one), 0)
  return value instanceof Uint8Array || typeof value === 'string' ? value.length : 1
}

const calldata = ofBytes(
  'calldata',
  () => [
    words(1, 2, 1, 0, 3),
    words(96, 320, 384, 1, 32, 5, 64, 2, 1, 2, 1, 0, 1, 0),
    words(96, 160, 192, 1, 32, 0, 0, 0),
    words(...Array<number>(64).fill(32)),
  ],
  (input) => {
    for (const parameters of PARAMETERS) {
      const decoded = AbiDecoder.decode(parameters, input)
      if ('reason' in decoded) continue
      const size = decoded.values.reduce((sum: number, one) => sum + sizeOf(one), 0)
      if (size > input.length) return `${size} values and bytes decoded from ${input.length} bytes`
      if (decoded.extraBytes > input.length) return `${decoded.extraBytes} extra bytes of ${input.length}`
    }
    return undefined
  },
)

const signatures = ofText(
  'signatures of functions and events',
  () => [
    ...SIGNATURES,
    'event Paid(address indexed from, (uint256,bytes)[] parts)',
    'error Short(uint a, int[3] b)',
  ],
  (text) => {
    const { kind, abi } = AbiSignature.parse(text)
    const signature = ContractAbi.signature(abi)
    const again = AbiSignature.parse(kind === 'event' ? `event ${signature}` : signature)
    const isSame = ContractAbi.signature(again.abi) === signature
    return isSame ? undefined : `${signature} is parsed as ${ContractAbi.signature(again.abi)}`
  },
)

const abis = ofText(
  'contract ABIs',
  () => [
    JSON.stringify(SIGNATURES.map((text) => ({ type: 'function', ...AbiSignature.parse(text).abi }))),
    '[{"type":"event","name":"A","inputs":[{"name":"b","type":"tuple[2][]","indexed":true,"components":[{"name":"c","type":"bytes"}]}]}]',
  ],
  (text) => {
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return undefined
    }
    const { functions, events } = ContractAbi.parse(json)
    for (const [key, list] of functions)
      if (list.some((one) => ContractAbi.selector(one) !== key)) return `a function has the wrong key ${key}`
    for (const [key, list] of events)
      if (list.some((one) => Hex.encodeBare(EventAbi.topic(one)) !== key))
        return `an event has the wrong key ${key}`
    return undefined
  },
)

/** Targets for calldata and logs of strangers, and for ABIs and signatures of unknown origin. */
export const abiTargets: readonly Target[] = [calldata, signatures, abis]
