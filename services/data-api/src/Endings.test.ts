import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type DataApiErrorCode, STATUS } from './http/endpoint/DataApiError.ts'

/** An error that ends the start of the service. */
interface Start {
  readonly why: string
  /** The only files that create the error. A new file must be listed after a decision. */
  readonly files: readonly string[]
}

const start = (why: string, ...files: readonly string[]): Start => ({ why, files })
/** The error is the answer to one request. In a background loop, it ends one attempt, which is repeated. */
const REQUEST = undefined

/** What ends the start of the service. No error ends a service that listens. A code that is missing does not compile. */
const ENDINGS: Readonly<Record<DataApiErrorCode, Start | undefined>> = {
  DATA_CONFIGURATION: start(
    'there is nothing to serve, or a file of the options is invalid; files that change later keep their contents before',
    'decoding/AbiFolder.ts',
    'decoding/SelectorFile.ts',
    'metadata/MetadataFile.ts',
    'service/Content.ts',
  ),
  DATA_PARAMETER: REQUEST,
  DATA_PAGE_TOKEN: REQUEST,
  DATA_BODY_TOO_LARGE: REQUEST,
  DATA_KEY: REQUEST,
  DATA_SCOPE: REQUEST,
  DATA_RATE_LIMIT: REQUEST,
  DATA_ROUTE: REQUEST,
  DATA_NOT_FOLLOWED: REQUEST,
  DATA_NOT_FOUND: REQUEST,
  DATA_CONFLICT: REQUEST,
  DATA_GONE: REQUEST,
  DATA_UPSTREAM: REQUEST,
  DATA_UNAVAILABLE: REQUEST,
  DATA_INTERNAL: REQUEST,
}

const CODES = Object.keys(ENDINGS) as DataApiErrorCode[]

it('ends the start only with errors that are created where the table says', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.test|DataApiError)\.ts$/.test(file) && !file.includes('testing'),
  )
  for (const code of CODES.filter((one) => ENDINGS[one] !== undefined)) {
    const isCreatedIn = (file: string) =>
      readFileSync(join(import.meta.dirname, file), 'utf8').includes(`'${code}'`)
    expect(files.filter(isCreatedIn).sort(), code).toEqual(ENDINGS[code]?.files)
  }
})

it('answers a request with a status for every error that does not end the start', () => {
  const unnamed = CODES.filter((code) => STATUS[code][0] === 500)
  expect(unnamed.sort()).toEqual(['DATA_CONFIGURATION', 'DATA_INTERNAL'])
})
