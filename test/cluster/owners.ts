import type { Postgres } from './postgres.ts'

/** Has a database that servers use record which of them has owned each world, and under which number of the claim. */
export const recordOwners = ({ sql }: Postgres): string =>
  sql(`
    CREATE TABLE public.owner (world int, epoch bigint, node text);
    CREATE FUNCTION public.record_owner() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.holder IS NOT NULL THEN INSERT INTO public.owner VALUES (NEW.id, NEW.epoch, NEW.holder); END IF;
        RETURN NEW;
      END
    $$;
    CREATE TRIGGER record_owner AFTER INSERT OR UPDATE OF holder, epoch ON mercadito.world
      FOR EACH ROW EXECUTE FUNCTION public.record_owner();
    INSERT INTO public.owner SELECT id, epoch, holder FROM mercadito.world WHERE holder IS NOT NULL;
  `)

/** Claims with more than one owner, a line each: world, number of the claim, owners. */
export const sharedClaims = ({ sql }: Postgres): string =>
  sql(`SELECT world, epoch, string_agg(DISTINCT node, ' ') FROM public.owner GROUP BY world, epoch
       HAVING count(DISTINCT node) > 1 ORDER BY world, epoch`)

/** How many claims there were. */
export const claimCount = ({ sql }: Postgres): number =>
  Number(sql('SELECT count(*) FROM (SELECT DISTINCT world, epoch FROM public.owner) AS claims'))
