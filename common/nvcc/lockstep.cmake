# lockstep.cmake - a toolchain file: cmake -DCMAKE_TOOLCHAIN_FILE=.../lockstep.cmake builds a project's CUDA by lockstep-nvcc.
#
# It names the folder that looks like CUDA's own, where CMake finds the rest: build/cuda of a clone, or lib/lockstep/cuda as make install
# leaves it. CUDACXX=FOLDER/bin/nvcc, or -DCMAKE_CUDA_COMPILER=, do the same for a project whose .cpp files include none of CUDA's headers.
foreach(lockstep_folder "${CMAKE_CURRENT_LIST_DIR}/../../build/cuda" "${CMAKE_CURRENT_LIST_DIR}/../../cuda")
    if(EXISTS "${lockstep_folder}/bin/nvcc")
        get_filename_component(lockstep_folder "${lockstep_folder}" ABSOLUTE)
        set(CMAKE_CUDA_COMPILER "${lockstep_folder}/bin/nvcc" CACHE FILEPATH "lockstep-nvcc")
        set(CUDAToolkit_ROOT "${lockstep_folder}" CACHE PATH "for find_package(CUDAToolkit)")
        set(CUDA_TOOLKIT_ROOT_DIR "${lockstep_folder}" CACHE PATH "for find_package(CUDA)")
        set(CMAKE_CUDA_ARCHITECTURES 70 CACHE STRING "has no effect: the device is chosen when a program starts")
        set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES "${lockstep_folder}/include")
        set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES "${lockstep_folder}/include")
    endif()
endforeach()
