import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AggregatorError } from '../errors/AggregatorError.ts'

const HEADERS = ['x-data-api-key', 'x-glacier-api-key'] as const

/** Identifies callers by their API key. */
export interface ApiKeys {
  /**
   * Checks the caller's API key and returns a name for the key that is safe to store. Returns undefined if
   * keys are not required.
   * @throws AggregatorError `AGGREGATOR_KEY`
   */
  identify(request: Pick<FastifyRequest, 'headers'>): string | undefined
}

/**
 * Creates an {@link ApiKeys} that accepts the given keys. An empty list allows every caller.
 */
export function createApiKeys(keys: readonly string[]): ApiKeys {
  const digests = keys.map(digest)
  return {
    identify: ({ headers }) => {
      if (digests.length === 0) return undefined
      const given = keyOf(headers)
      if (given === undefined)
        throw refused(
          'an API key is required; send it in x-data-api-key, x-glacier-api-key or Authorization: Bearer',
        )
      const mine = digest(given)
      /** All keys are compared, each in constant time, so the response time reveals nothing about them. */
      const matches = digests.filter((one) => timingSafeEqual(one, mine))
      if (matches.length === 0) throw refused('the API key is unknown')
      return mine.toString('base64url')
    },
  }
}

function keyOf(headers: FastifyRequest['headers']): string | undefined {
  for (const name of HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function refused(message: string): AggregatorError {
  return new AggregatorError('AGGREGATOR_KEY', message)
}
