import { Id, isFirnError } from '@firn/codec'
import { avax, formatAvax, type NetworkIds } from '@firn/wallet'
import { CliError } from '../../CliError.ts'

/**
 * Parses an amount of AVAX such as 1.5, and returns it in nAVAX.
 * @throws CliError `CLI_USAGE`
 */
export const parse = (text: string): bigint => {
  try {
    return avax(text)
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    throw new CliError('CLI_USAGE', cause.message, { cause })
  }
}

/** Formats an amount of nAVAX in AVAX, such as `1.5 AVAX`. */
export const format = (amount: bigint): string => `${formatAvax(amount)} AVAX`

const CODES: readonly string[] = ['TXS_FUNDS', 'TXS_LOCKED', 'TXS_SIGNERS']

/** Converts the amounts in an error about insufficient funds to AVAX, or names their asset. Returns other errors unchanged. */
const toWords = (error: unknown, network: Pick<NetworkIds, 'avaxAssetId'>): unknown => {
  if (!isFirnError(error) || !CODES.includes(error.code)) return error
  const { assetId, needed, available, missing, fee, unlockTime } = error.details
  if (typeof needed !== 'bigint' || typeof available !== 'bigint' || typeof missing !== 'bigint') return error
  const isAvax = assetId === undefined || assetId === Id.format(network.avaxAssetId)
  const amount = isAvax ? format : String
  const ofFee = isAvax && typeof fee === 'bigint' ? ` with the fee of ${format(fee)}` : ''
  const remedy =
    typeof unlockTime === 'bigint'
      ? ` Enough is unlocked at ${new Date(Number(unlockTime) * 1000).toISOString()}.`
      : error.code === 'TXS_SIGNERS'
        ? ' The rest needs signatures of other owners.'
        : ''
  const message = `Not enough ${isAvax ? 'AVAX' : `of the asset ${assetId}`}: ${amount(needed)} needed${ofFee}, ${amount(available)} available, ${amount(missing)} missing.${remedy}`
  return new CliError('CLI_INPUT', message, { details: error.details, cause: error })
}

/**
 * Returns the result of an operation of the wallet.
 * @throws the errors of `work`, with amounts in AVAX or in units of an asset; CliError `CLI_USAGE` for input that the operation
 * rejects
 */
export const inWords = async <T>(work: Promise<T>, network: Pick<NetworkIds, 'avaxAssetId'>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (isFirnError(error) && error.code === 'WALLET_INPUT')
      throw new CliError('CLI_USAGE', error.message, { cause: error })
    throw toWords(error, network)
  }
}
