import type * as z from 'zod';
import type { Answered, Names } from '../contract/client.ts';
import type { RouteKey, Routes } from '../contract/index.ts';

type Said<K extends RouteKey, Part extends string> = Part extends keyof Routes[K]
  ? Routes[K][Part] extends z.ZodType
    ? z.output<Routes[K][Part]>
    : undefined
  : undefined;

/** What a handler is given: every part has been read and is of the shape that the contract says. */
export interface Asked<K extends RouteKey> {
  params: Record<Names<K>, string>;
  query: Said<K, 'query'>;
  body: Said<K, 'body'>;
  /** Where a reader of a stream stood when its connection broke. */
  lastId: string | undefined;
  /** Whoever asked has gone. */
  gone: AbortSignal;
}

/** JSON that was written down before. */
export class Json {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A text that is handed out as a file, and never shown as a page. */
export class TextFile {
  readonly name: string;
  readonly text: string;
  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }
}

type Reply<K extends RouteKey> = Routes[K]['answer'] extends 'stream'
  ? ReadableStream<Uint8Array>
  : Routes[K]['answer'] extends 'text'
    ? TextFile
    : Answered<K> | Json;

export type Handler<K extends RouteKey> = (asked: Asked<K>) => Reply<K> | Promise<Reply<K>>;
export type Handlers<K extends RouteKey> = { [Key in K]: Handler<Key> };
