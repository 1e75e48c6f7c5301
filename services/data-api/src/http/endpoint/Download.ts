import type { Call, CallFunction, Endpoint } from './Endpoint.ts'
import type * as Parameter from './Parameter.ts'

/** A file that is sent in parts. */
export interface File {
  readonly contentType: string
  /** Name under which a browser stores the file. */
  readonly name: string
  /** Size in bytes. */
  readonly size: number
  /**
   * Entity tag of a file that never changes, in quotes. Such files may be cached forever. Without one, the file is not
   * cached.
   */
  readonly tag?: string
  /** Headers in addition to the headers of every file. */
  readonly headers?: Readonly<Record<string, string>>
  readonly parts: AsyncIterable<Uint8Array>
  /** Additional compute units, because of the size; by default none. */
  readonly units?: number
}

/** An endpoint that sends a file. */
export interface Download<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> extends Omit<Endpoint<Path, Query>, 'method' | 'handle' | 'version' | 'requestBody'> {
  /** Content type of the files in the OpenAPI document. */
  readonly mediaType: string
  /**
   * Maximum number of files that are sent at once per process, for large files. They count with the open streams of their
   * caller. By default, there is no limit.
   */
  readonly places?: number
  readonly open: CallFunction<Pick<Call<Path, Query>, 'path' | 'query' | 'signal'>, Promise<File>>
}

/** Returns the given download. TypeScript infers the handler's types from the parameters. */
export function defineDownload<
  const Path extends Parameter.Specification,
  const Query extends Parameter.Specification,
>(download: Download<Path, Query>): Download {
  return download
}
