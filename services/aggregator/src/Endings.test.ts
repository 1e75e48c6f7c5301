import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AggregatorError, type AggregatorErrorCode } from './errors/AggregatorError.ts'
import * as ErrorTable from './errors/ErrorTable.ts'

/** An error that ends the start of the service. */
interface Start {
  readonly why: string
  /** The only files that name the error, which can also answer a request. A new file must be listed after a decision. */
  readonly files: readonly string[]
}

const start = (why: string, ...files: readonly string[]): Start => ({ why, files })
/** The error is the answer to one request. In a background loop, it ends one attempt, which is repeated. */
const REQUEST = undefined

/** What ends the start of the service. No error ends a service that listens. A code that is missing does not compile. */
const ENDINGS: Readonly<Record<AggregatorErrorCode, Start | undefined>> = {
  AGGREGATOR_CONFIGURATION: start(
    'options contradict each other or the upstream; a repeated start would fail alike',
    'configuration/Configuration.ts',
    'p-chain/PChainSource.ts',
    'peers/OwnIdentity.ts',
  ),
  AGGREGATOR_UPSTREAM: start(
    'no P-chain API has reported its network in ten attempts, and without it no signature can be verified',
    'p-chain/Agreement.ts',
    'p-chain/Heights.ts',
    'p-chain/Ledger.ts',
    'p-chain/PChain.ts',
    'p-chain/PChainSource.ts',
    'p-chain/ValidatorSets.ts',
  ),
  AGGREGATOR_CLOSING: start(
    'a signal has arrived',
    'InProcess.ts',
    'Main.ts',
    'http/Shutdown.ts',
    'jobs/JobErrors.ts',
  ),
  AGGREGATOR_BODY: REQUEST,
  AGGREGATOR_FIELD: REQUEST,
  AGGREGATOR_MESSAGE: REQUEST,
  AGGREGATOR_SIGNATURE: REQUEST,
  AGGREGATOR_NETWORK_ID: REQUEST,
  AGGREGATOR_CHAIN_UNKNOWN: REQUEST,
  AGGREGATOR_SUBNET_UNKNOWN: REQUEST,
  AGGREGATOR_HEIGHT: REQUEST,
  AGGREGATOR_CHAIN_NOT_CONFIGURED: REQUEST,
  AGGREGATOR_KEY: REQUEST,
  AGGREGATOR_SUBNET_FORBIDDEN: REQUEST,
  AGGREGATOR_CHAIN_FORBIDDEN: REQUEST,
  AGGREGATOR_NETWORK: REQUEST,
  AGGREGATOR_ROUTE: REQUEST,
  AGGREGATOR_MESSAGE_UNKNOWN: REQUEST,
  AGGREGATOR_BODY_TOO_LARGE: REQUEST,
  AGGREGATOR_RATE_LIMIT: REQUEST,
  AGGREGATOR_BUSY: REQUEST,
  AGGREGATOR_JOB_UNKNOWN: REQUEST,
  AGGREGATOR_NOT_ACCEPTED: REQUEST,
  AGGREGATOR_JOBS_FULL: REQUEST,
  AGGREGATOR_UPSTREAM_DISAGREE: REQUEST,
  AGGREGATOR_UPSTREAM_STALE: REQUEST,
  AGGREGATOR_DATABASE: REQUEST,
  AGGREGATOR_CHAIN_RPC: REQUEST,
  AGGREGATOR_TIMEOUT: REQUEST,
  AGGREGATOR_INTERNAL: REQUEST,
}

const CODES = Object.keys(ENDINGS) as AggregatorErrorCode[]

it('ends the start only with errors that are created where the table says', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.test|AggregatorError)\.ts$/.test(file) && !file.includes('testing'),
  )
  for (const code of CODES.filter((one) => ENDINGS[one] !== undefined)) {
    const isCreatedIn = (file: string) => {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8')
      const isWrong = /import \{[^}]*\bwrong\b[^}]*\} from '\.{1,2}\/configuration\/Configuration\.ts'/.test(
        text,
      )
      return text.includes(`'${code}'`) || (code === 'AGGREGATOR_CONFIGURATION' && isWrong)
    }
    expect(files.filter(isCreatedIn).sort(), code).toEqual(ENDINGS[code]?.files)
  }
})

it('answers a request with a status for every error that does not end the start', () => {
  const unnamed = CODES.filter(
    (code) => ErrorTable.toBody(new AggregatorError(code, 'injected')).statusCode === 500,
  )
  expect(unnamed.sort()).toEqual(['AGGREGATOR_CONFIGURATION', 'AGGREGATOR_INTERNAL'])
  expect(ErrorTable.TABLE.AGGREGATOR_CONFIGURATION.when).toContain('never in a response')
})
