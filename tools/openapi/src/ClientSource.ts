import { readFile, writeFile } from 'node:fs/promises'
import { openApiDocument } from '@firn/aggregator'
import { documented } from '@firn/data-api/testing'
import { Operators } from '@firn/operate'
import type { Document } from './Document.ts'
import * as Operations from './Operations.ts'
import * as TypeScript from './TypeScript.ts'

const FOLDER = new URL('../../../packages/client/src/gen/', import.meta.url)

/** A generated source file of the client, with its text in the repository. */
export interface GeneratedFile {
  readonly url: URL
  readonly expected: string
  readonly text: string | undefined
}

/** Returns the OpenAPI document of the Data API and the Metrics API, without the members of one network. */
export async function readDocument(): Promise<Document> {
  const { document } = await documented()
  return document as unknown as Document
}

/** Returns the OpenAPI document of the signature aggregator. */
export async function readAggregatorDocument(): Promise<Document> {
  return (await openApiDocument()) as unknown as Document
}

/** Returns the OpenAPI document of the endpoints for operators. */
export function readOperateDocument(): Document {
  return Operators.createDocument('1') as unknown as Document
}

/** Returns the generated source files of `@firn/client`. */
export async function files(): Promise<readonly GeneratedFile[]> {
  const document = await readDocument()
  const aggregator = await readAggregatorDocument()
  const operate = readOperateDocument()
  const texts = {
    'schemas.ts': TypeScript.schemas(document),
    'operations.ts': Operations.operations(document, 'schemas.ts'),
    'aggregatorSchemas.ts': TypeScript.schemas(aggregator),
    'aggregatorOperations.ts': Operations.operations(aggregator, 'aggregatorSchemas.ts'),
    'operateSchemas.ts': TypeScript.schemas(operate),
    'operateOperations.ts': Operations.operations(operate, 'operateSchemas.ts'),
  }
  return Promise.all(
    Object.entries(texts).map(async ([name, expected]) => {
      const url = new URL(name, FOLDER)
      return { url, expected, text: await readFile(url, 'utf8').catch(() => undefined) }
    }),
  )
}

/** Writes the generated source files that have changed. */
export async function write(): Promise<void> {
  for (const { url, expected, text } of await files()) {
    if (text === expected) continue
    await writeFile(url, expected)
    console.log(`wrote ${url.pathname}`)
  }
}
