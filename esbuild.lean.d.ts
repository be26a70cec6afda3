import type { Plugin } from 'esbuild';

export declare const lean: Plugin;
