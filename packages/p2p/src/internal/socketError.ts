import { P2pError } from '../P2pError.ts'

/** Returns the typed error for a socket or TLS failure. */
export function fromSocketError(error: Error): P2pError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isTls = code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')
  return new P2pError(isTls ? 'P2P_TLS' : 'P2P_SOCKET', error.message, { cause: error, details: { code } })
}
