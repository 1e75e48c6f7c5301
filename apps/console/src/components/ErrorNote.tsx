import { isClientError } from '@firn/client'
import { link } from '../Routes.ts'

/** Remedies by error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  CLIENT_NOT_FOUND: 'Check the id, and that this service follows its network.',
  CLIENT_UNAUTHORIZED: 'Check the API key of this console, or ask the operator of the service for one.',
  CLIENT_FORBIDDEN: 'Use an API key with the scope that the message names, or remove the key.',
  CLIENT_RATE_LIMIT:
    'The service limits requests. Try again in a minute, or use an API key with a higher limit.',
  CLIENT_UNAVAILABLE: 'The service is not ready. Try again in a moment.',
  CLIENT_CONNECTION: 'The service cannot be reached from this browser. Check that it runs at its address.',
  CLIENT_TIMEOUT: 'The service took too long. Try again.',
  CLIENT_SERVER: 'The service failed. Its log has the reason.',
  CLIENT_UPSTREAM: 'A node behind the service failed. Try again.',
}

/** Errors that another API key, or none, may resolve. */
const OF_KEYS = ['CONSOLE_SIGN_IN', 'CLIENT_UNAUTHORIZED', 'CLIENT_FORBIDDEN', 'CLIENT_RATE_LIMIT']

export interface ErrorNoteProps {
  readonly error: unknown
  /** Loads again what failed; absent if that cannot help. */
  readonly onRetry?: () => void
}

/** An error, what to do about it, and a button to try again. */
export function ErrorNote({ error, onRetry }: ErrorNoteProps) {
  const { message, code } = error as { message?: string; code?: string }
  const remedy = REMEDIES[code ?? '']
  return (
    <div class={`note ${code === 'CONSOLE_SIGN_IN' ? 'note-warn' : 'note-bad'}`} role="alert">
      <p>
        <strong>{message ?? String(error)}</strong>
      </p>
      {remedy !== undefined && <p>{remedy}</p>}
      {OF_KEYS.includes(code ?? '') && (
        <p>
          <a href={link('settings')}>API key in the settings</a>
        </p>
      )}
      {onRetry !== undefined && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Returns whether an error says that the thing does not exist. */
export function isNotFound(error: unknown): boolean {
  return isClientError(error) && error.code === 'CLIENT_NOT_FOUND'
}
