/* What smpirun -replay runs, but every rank prints its number and when it is done, with all its digits. The trace of
 * the rank is the first argument. */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
  if (argc < 2)
    return 2;
  const char* rank = sg_actor_get_property_value(sg_actor_self(), "rank");
  smpi_replay_run(sg_actor_get_property_value(sg_actor_self(), "instance_id"), atoi(rank), 0, argv[1]);
  printf("%s %.17g\n", rank, simgrid_get_clock());
  return 0;
}
