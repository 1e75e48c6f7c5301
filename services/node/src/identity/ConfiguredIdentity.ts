import { createPrivateKey } from 'node:crypto'
import { SecretKey } from '@firn/bls'
import { StakingCertificate } from '@firn/keys'
import { NodeError } from '@firn/node-api'
import type { Configuration } from '../Configuration.ts'
import * as OwnIdentity from './OwnIdentity.ts'

/** Options that select the identity. */
export type IdentityOptions = Pick<
  Configuration,
  | 'stakingEphemeralCertEnabled'
  | 'stakingTlsKeyFile'
  | 'stakingTlsKeyFileContent'
  | 'stakingTlsCertFile'
  | 'stakingTlsCertFileContent'
  | 'stakingSignerKeyFile'
  | 'stakingSignerKeyFileContent'
>

/**
 * Returns the configured identity. The option for an ephemeral identity has precedence over configured
 * contents, and these have precedence over files. Missing files are created.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export async function load(options: IdentityOptions): Promise<OwnIdentity.OwnIdentity> {
  if (options.stakingEphemeralCertEnabled) return OwnIdentity.create()
  const files = {
    key: options.stakingTlsKeyFile,
    certificate: options.stakingTlsCertFile,
    signer: options.stakingSignerKeyFile,
  }
  const pair = givenPair(options) ?? (await OwnIdentity.stakingPair(files))
  const secretKey = givenSigner(options) ?? (await OwnIdentity.signer(files.signer))
  return OwnIdentity.create({ ...pair, secretKey })
}

function givenPair({
  stakingTlsKeyFileContent: key,
  stakingTlsCertFileContent: certificate,
}: IdentityOptions): OwnIdentity.Pair | undefined {
  if (key === '' && certificate === '') return undefined
  try {
    const privateKey = createPrivateKey(Buffer.from(key, 'base64')).export({ type: 'pkcs8', format: 'der' })
    const { der } = StakingCertificate.parsePem(Buffer.from(certificate, 'base64').toString('utf8'))
    return OwnIdentity.assertPair({ certificate: der, privateKey: new Uint8Array(privateKey) })
  } catch (cause) {
    throw new NodeError(
      'NODE_CONFIGURATION',
      `staking-tls-key-file-content and staking-tls-cert-file-content: expected a staking key and its certificate, both as PEM in base64 (${(cause as Error).message})`,
      { cause },
    )
  }
}

function givenSigner({
  stakingSignerKeyFileContent: content,
}: IdentityOptions): SecretKey.SecretKey | undefined {
  if (content === '') return undefined
  try {
    return SecretKey.decode(new Uint8Array(Buffer.from(content, 'base64')))
  } catch (cause) {
    throw new NodeError(
      'NODE_CONFIGURATION',
      `staking-signer-key-file-content: expected a BLS key of 32 bytes in base64 (${(cause as Error).message})`,
      { cause },
    )
  }
}
