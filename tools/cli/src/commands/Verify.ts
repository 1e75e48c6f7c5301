import { Id, NodeId } from '@firn/codec'
import { createClient, InfoMethods, PlatformMethods } from '@firn/rpc'
import { ProofBundle, type Quorum, type SignedMessage, ValidatorSet, Verification } from '@firn/warp'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'

/** A validator set with its source, for verifying a message. */
export type Against = {
  readonly networkId: number
  readonly validatorSet: ValidatorSet.ValidatorSet
  readonly source: string
  /** What to try if the message was signed by another validator set. */
  readonly hint?: string
}

/** Result of a verification, with the data to print. */
export type Verdict = {
  readonly against: Against
  readonly result: Verification.Result
  readonly quorum: Quorum.Quorum
}

/** Options that select a validator set of an upstream. */
export type Choice = {
  readonly height?: bigint
  readonly subnetId?: Uint8Array
  readonly signal?: AbortSignal
}

/** Returns the validator set of a proof bundle in a file. */
export const fromBundle = (path: string): Against => {
  const bundle = ProofBundle.fromJSON(Input.proofBundle(path))
  const subnet = Id.format(bundle.signingSubnetId)
  return {
    networkId: bundle.networkId,
    validatorSet: bundle,
    source: `proof bundle ${path}: subnet ${subnet} at P-chain height ${bundle.pChainHeight}`,
  }
}

const rootOf = (url: string): string => {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '')
  throw new CliError(
    'CLI_INPUT',
    `--upstream: expected a URL such as http://127.0.0.1:9650, got ${JSON.stringify(url)}`,
  )
}

/**
 * Returns a validator set from a node's P-chain. Defaults to the set of the subnet to which the message's
 * source chain belongs, at the proposed height.
 */
export const fromUpstream = async (
  url: string,
  message: SignedMessage.SignedMessage,
  choice: Choice = {},
): Promise<Against> => {
  const root = rootOf(url)
  const { signal } = choice
  const options = { signal }
  const info = createClient(InfoMethods, { url: `${root}/ext/info` })
  const platform = createClient(PlatformMethods, { url: `${root}/ext/bc/P` })
  const blockchainId = message.unsigned.sourceChainID
  const { networkID: networkId } = await info.call('info.getNetworkID', {}, options)
  const subnetId =
    choice.subnetId ??
    (await platform.call('platform.validatedBy', { blockchainID: blockchainId }, options)).subnetID
  const height = choice.height ?? (await platform.call('platform.getProposedHeight', {}, options)).height
  const nodes = await platform.call('platform.getValidatorsAt', { height, subnetID: subnetId }, options)
  return {
    networkId,
    validatorSet: ValidatorSet.fromNodeIds(nodes),
    source: `${root}: subnet ${Id.format(subnetId)} at P-chain height ${height}`,
    hint: 'if the validators have changed since it was signed, pass their P-chain height as --height (pChainHeight in the report of firn aggregate --json)',
  }
}

/** Verifies a signed message against a validator set. */
export const verify = (
  message: SignedMessage.SignedMessage,
  against: Against,
  quorum: Quorum.Quorum,
): Verdict => ({
  against,
  quorum,
  result: Verification.verify(message, {
    networkId: against.networkId,
    validatorSet: against.validatorSet,
    quorum,
  }),
})

const percent = (part: bigint, whole: bigint): string =>
  whole === 0n ? '0 %' : `${(Number((part * 10_000n) / whole) / 100).toFixed(2)} %`

const signerLine = (index: number, { validatorSet }: Against): string => {
  const validator = validatorSet.validators[index]
  if (!validator) return `  #${index}  unknown`
  const share = percent(validator.weight, validatorSet.totalWeight).padStart(8)
  return `  #${String(index).padEnd(4)} ${share}  weight ${validator.weight}  ${validator.nodeIds.map(NodeId.format).join(', ')}`
}

/** The results for a message that was signed by another validator set. */
const ON_OTHER_SET: readonly Verification.Invalid['code'][] = [
  'UNKNOWN_SIGNER',
  'INSUFFICIENT_WEIGHT',
  'INVALID_SIGNATURE',
]

/** Formats the result of a verification: which validators signed, their weight, and whether it suffices. */
export const format = ({ against, result, quorum }: Verdict): readonly string[] => {
  const { totalWeight, validators } = against.validatorSet
  const required = percent(quorum.numerator, quorum.denominator)
  const set = [
    `validator set    ${validators.length} with keys, total weight ${totalWeight}, from ${against.source}`,
  ]
  if (!result.ok) {
    const hint = ON_OTHER_SET.includes(result.code) && against.hint !== undefined ? [against.hint] : []
    return [
      `not valid        ${result.code}: ${result.reason}`,
      ...set,
      ...hint.map((text) => `hint             ${text}`),
    ]
  }
  const share = percent(result.signedWeight, totalWeight)
  return [
    `valid            weight ${result.signedWeight} of ${totalWeight} signed (${share}, quorum ${required})`,
    ...set,
    `signers          ${result.signers.length} of ${validators.length}`,
    ...result.signers.map((index) => signerLine(index, against)),
  ]
}
