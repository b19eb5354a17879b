// Finish time of every flow of one case, as SimGrid computes it.
//
//   flows CASE equal|rtt|smpi [--cfg=...]
//
// CASE is text: the number of links, one line "bandwidth latency" each (bytes per second, seconds), the number of
// flows, one line "start size count link link ..." each (seconds, bytes). Standard output has one finish time a line,
// standard error the CPU seconds of the simulation without reading and building.
//
// Every distinct route is the way up of a host of its own in a star zone, and all flows end at one host without links:
// the memory is that of the routes, where a full zone would need a table of hosts squared.
//
// "rtt" takes links as they are: SimGrid's weight of a flow is then one over its route's latency. "equal" takes the
// latency from the links, gives every route one more link that is never shared, of one second, and lets the latency
// factor turn that second into the true latency: the weight, which is taken before the factor, is 1 for all. (One such
// link for all would be simpler, but would make SimGrid solve all flows anew whenever one comes or goes.)
// "smpi" weighs by latency + S x sum of 1/bandwidth, with SMPI's S and TCP window; there is no way back in a star, so
// no cross-traffic either.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sg4 = simgrid::s4u;

struct Flow {
  double start;
  double size;
  sg4::Host* source;
};

static const char* const kPure[] = {"network/model:CM02",     "network/crosstraffic:0", "network/TCP-gamma:1e30",
                                    "surf/precision:1e-14", "maxmin/precision:1e-8"};

int main(int argc, char** argv)
{
  // Told before the engine reads the command line, which may then say otherwise.
  const std::string sharing = argc > 2 ? argv[2] : "";
  std::vector<std::string> words(argv, argv + (argc < 1 ? 0 : 1));
  for (const char* setting : kPure)
    words.push_back(std::string("--cfg=") + setting);
  if (sharing == "smpi") {
    words.push_back("--cfg=network/weight-S:8775");
    words.push_back("--cfg=network/TCP-gamma:4194304");
  }
  words.insert(words.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (auto& word : words)
    pointers.push_back(&word[0]);
  pointers.push_back(nullptr);
  int count = static_cast<int>(words.size());
  sg4::Engine engine(&count, pointers.data());
  if (count != 3 || (sharing != "equal" && sharing != "rtt" && sharing != "smpi")) {
    std::fprintf(stderr, "usage: flows CASE equal|rtt|smpi [--cfg=...]\n");
    return 2;
  }
  const bool equal = sharing == "equal";

  std::ifstream in(pointers[1]);
  size_t number = 0;
  in >> number;
  auto* zone = sg4::create_star_zone("network");
  std::vector<const sg4::Link*> links(number);
  std::vector<double> latency(number);
  for (size_t i = 0; i < number; i++) {
    double bandwidth = 0;
    in >> bandwidth >> latency[i];
    links[i] = zone->create_link("l" + std::to_string(i), bandwidth)->set_latency(equal ? 0.0 : latency[i])->seal();
  }
  auto* sink = zone->create_host("sink", 1.0)->seal();
  zone->add_route(nullptr, sink->get_netpoint(), nullptr, nullptr, {}, false);

  in >> number;
  std::vector<Flow> flows(number);
  std::map<std::vector<size_t>, sg4::Host*> sources;
  std::unordered_map<const sg4::Host*, double> latency_of;
  for (auto& flow : flows) {
    size_t hops = 0;
    in >> flow.start >> flow.size >> hops;
    std::vector<size_t> route(hops);
    for (auto& link : route)
      in >> link;
    auto& source = sources[route];
    if (source == nullptr) {
      source = zone->create_host("h" + std::to_string(sources.size()), 1.0)->seal();
      std::vector<sg4::LinkInRoute> up;
      double sum = 0;
      for (size_t link : route) {
        up.emplace_back(links[link]);
        sum += latency[link];
      }
      if (equal)
        up.emplace_back(zone->create_link("second" + std::to_string(sources.size()), 1e30)
                            ->set_latency(1.0)
                            ->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE)
                            ->seal());
      zone->add_route(source->get_netpoint(), nullptr, nullptr, nullptr, up, false);
      latency_of[source] = sum;
    }
    flow.source = source;
  }
  if (!in) {
    std::fprintf(stderr, "flows: %s is not a case\n", pointers[1]);
    return 2;
  }
  zone->seal();
  if (equal)
    zone->get_network_model()->set_lat_factor_cb(
        [&latency_of](double, const sg4::Host* source, const sg4::Host*, const std::vector<sg4::Link*>&,
                      const std::unordered_set<sg4::NetZone*>&) { return latency_of.at(source); });

  std::vector<size_t> order(flows.size());
  for (size_t i = 0; i < order.size(); i++)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return flows[a].start < flows[b].start; });
  std::vector<sg4::CommPtr> comms(flows.size());
  sg4::Actor::create("starter", sink, [&]() {
    for (size_t i : order) {
      if (flows[i].start > sg4::Engine::get_clock())
        sg4::this_actor::sleep_until(flows[i].start);
      comms[i] = sg4::Comm::sendto_async(flows[i].source, sink, static_cast<uint64_t>(flows[i].size));
    }
    for (auto& comm : comms)
      comm->wait();
  });
  const std::clock_t before = std::clock();
  engine.run();
  const double run_s = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  for (auto& comm : comms)
    std::printf("%.17g\n", comm->get_finish_time());
  std::fprintf(stderr, "ran %.6f CPU seconds\n", run_s);
  return 0;
}
