import { createPrivateKey } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { ProofOfPossession, SecretKey } from '@firn/bls'
import { StakingCertificate, StakingKey } from '@firn/keys'
import { Identity } from '@firn/p2p'
import { type Configuration, wrong } from '../configuration/Configuration.ts'

/**
 * Returns the identity of this process in the peer-to-peer network. It is read from the configured PEM files, which
 * are created if both are missing. If no files are configured, a new identity is generated. The BLS key is always
 * new, because peers check it only for validators.
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`
 */
export function load({
  tlsCertPath,
  tlsKeyPath,
}: Pick<Configuration, 'tlsCertPath' | 'tlsKeyPath'>): Identity.Identity {
  const secretKey = SecretKey.random()
  const blsSign = (message: Uint8Array) => ProofOfPossession.sign(secretKey, message).compressed
  if (tlsCertPath === '') return Identity.create({ blsSign })
  if (!existsSync(tlsCertPath) && !existsSync(tlsKeyPath)) make(tlsCertPath, tlsKeyPath)
  try {
    const certificate = StakingCertificate.parsePem(readFileSync(tlsCertPath, 'utf8')).der
    const privateKey = createPrivateKey(readFileSync(tlsKeyPath)).export({ type: 'pkcs8', format: 'der' })
    return Identity.create({ certificate, privateKey: new Uint8Array(privateKey), blsSign })
  } catch (cause) {
    throw unusable(tlsCertPath, tlsKeyPath, cause)
  }
}

function make(certPath: string, keyPath: string): void {
  const { der, privateKey } = StakingCertificate.create()
  try {
    writeFileSync(keyPath, StakingKey.formatPem(privateKey), { mode: 0o600, flag: 'wx' })
    writeFileSync(certPath, StakingCertificate.formatPem(der), { flag: 'wx' })
  } catch (cause) {
    throw unusable(certPath, keyPath, cause)
  }
}

function unusable(certPath: string, keyPath: string, cause: unknown) {
  const reason = (cause as Error).message
  return wrong(
    `tls-cert-path and tls-key-path: ${certPath} and ${keyPath} are not a staking certificate and its key (${reason})`,
    cause,
  )
}
