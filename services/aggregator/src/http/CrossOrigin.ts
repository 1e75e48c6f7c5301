import type { CrossOrigin } from '@firn/http'
import { HEADER as DEADLINE } from './Deadline.ts'

/** What scripts of other origins may send and read. Keys are sent in a header. */
export const RULES: CrossOrigin.Rules = {
  methods: ['GET', 'HEAD', 'POST'],
  requestHeaders: [
    'authorization',
    'content-type',
    'last-event-id',
    'prefer',
    'x-data-api-key',
    'x-glacier-api-key',
    DEADLINE,
  ],
  responseHeaders: [
    'location',
    'preference-applied',
    'ratelimit-limit',
    'ratelimit-policy',
    'ratelimit-remaining',
    'ratelimit-reset',
    'retry-after',
    'x-request-id',
  ],
}
