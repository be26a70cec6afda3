export * from '../../machines/graph/labels.ts';
